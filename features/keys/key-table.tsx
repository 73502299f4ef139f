import Link from "next/link";
import { Countdown } from "@/components/shared/countdown";
import { Moment } from "@/components/shared/moment";
import { Badge } from "@/components/ui/badge";
import type { KeyAction } from "@/features/forms/key-action";
import { KeyStep } from "@/features/forms/key-step";
import { RevokeKey } from "@/features/keys/revoke-key";
import type { Key } from "@/lib/access/keys/key";
import { DAY_MS } from "@/lib/time/units";

const SOON_MS = 3 * DAY_MS;

interface Shared {
  nowMs: number;
  revoke: KeyAction;
  restore: KeyAction;
  confirmed: boolean;
}

export function KeyTable({ caption, keys, ...shared }: Shared & { caption: string; keys: readonly Key[] }) {
  return (
    <table className="card-table">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Label</th>
          <th scope="col">Key</th>
          <th scope="col">Scopes</th>
          <th scope="col">Allowed from</th>
          <th scope="col">Expires</th>
          <th scope="col" title="To the minute: a later call within the same minute is not told apart.">
            Last used
          </th>
          <th scope="col">Created</th>
          <th scope="col">Status</th>
          <th scope="col">
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <KeyLine key={key.id} apiKey={key} {...shared} />
        ))}
      </tbody>
    </table>
  );
}

function KeyLine({ apiKey, nowMs, revoke, restore, confirmed }: Shared & { apiKey: Key }) {
  const { id, label, kind, start, last4, scopes, allowedCidrs, state, restorableUntilMs } = apiKey;
  return (
    <tr data-state={state}>
      <th scope="row">
        <Link href={`/keys/${id}`} className="card-title underline-offset-4 hover:underline">
          {label}
        </Link>
        {kind === "tool" && <Badge>tool</Badge>}
      </th>
      <td data-label="Key">
        <code className="numerals text-[0.75rem]">
          {start}…{last4}
        </code>
      </td>
      <td data-label="Scopes">{scopes.join(", ")}</td>
      <td data-label="Allowed from">
        <Addresses cidrs={allowedCidrs} />
      </td>
      <td data-label="Expires">
        <Expiry apiKey={apiKey} nowMs={nowMs} />
      </td>
      <td data-label="Last used">
        <LastUsed apiKey={apiKey} nowMs={nowMs} />
      </td>
      <td data-label="Created">
        <Moment atMs={apiKey.createdAtMs} nowMs={nowMs} />
      </td>
      <td data-label="Status">
        <KeyStatus apiKey={apiKey} nowMs={nowMs} />
      </td>
      <td className="card-actions">
        {(state === "active" || state === "disabled") && (
          <RevokeKey id={id} label={label} action={revoke} confirmed={confirmed} />
        )}
        {restorableUntilMs !== null && (
          <KeyStep id={id} action={restore}>
            Undo<span className="sr-only"> the revocation of {label}</span>
          </KeyStep>
        )}
      </td>
    </tr>
  );
}

/** The state of a key, and what is about to become of it. */
export function KeyStatus({ apiKey, nowMs }: { apiKey: Key; nowMs: number }) {
  const { state, revokedAtMs, restorableUntilMs, replacedById, expiresAtMs } = apiKey;
  const isEnding = replacedById !== null && expiresAtMs !== null && (state === "active" || state === "disabled");
  return (
    <span className="key-state" data-state={state}>
      <span aria-hidden className="key-state-dot" />
      <span>
        {state}{" "}
        {restorableUntilMs !== null ? (
          <span className="text-warn">
            final in <Countdown untilMs={restorableUntilMs} nowMs={nowMs} />
          </span>
        ) : (
          revokedAtMs !== null && <Moment atMs={revokedAtMs} nowMs={nowMs} />
        )}
        {isEnding && (
          <span className="text-warn">
            replaced, ends in <Countdown untilMs={expiresAtMs} nowMs={nowMs} />
          </span>
        )}
      </span>
    </span>
  );
}

function Expiry({ apiKey: { state, expiresAtMs }, nowMs }: { apiKey: Key; nowMs: number }) {
  if (state === "revoked") return <span className="text-dim">–</span>;
  if (expiresAtMs === null) return <span className="text-dim">never</span>;
  return <Moment atMs={expiresAtMs} nowMs={nowMs} urgent={state === "active" && expiresAtMs - nowMs < SOON_MS} />;
}

export function LastUsed({ apiKey: { lastUse }, nowMs }: { apiKey: Key; nowMs: number }) {
  if (lastUse === null) return <span className="text-dim">never</span>;
  const { atMs, from, endpoint, status } = lastUse;
  const isRefused = status !== null && (status < 200 || status > 299);
  return (
    <>
      <Moment atMs={atMs} nowMs={nowMs} />
      {endpoint !== null && (
        <span className="block text-2xs text-faint">
          {endpoint.replace("/v1", "")}
          {isRefused && ` (${status})`}
          {from !== null && <span className="numerals"> from {from}</span>}
        </span>
      )}
    </>
  );
}

function Addresses({ cidrs }: { cidrs: readonly string[] }) {
  const [first, ...others] = cidrs;
  if (first === undefined) return <span className="text-dim">anywhere</span>;
  return (
    <span title={cidrs.join("\n")}>
      <span className="numerals text-[0.75rem]">{first.replace(/\/(32|128)$/, "")}</span>
      {others.length > 0 && <span className="text-dim"> and {others.length} more</span>}
    </span>
  );
}

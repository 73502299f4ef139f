import { relativeTime } from "@/components/keys/relative-time";
import { RevokeKey, type RevokeAction } from "@/components/keys/revoke-key";
import { Badge } from "@/components/ui/badge";
import type { Key } from "@/lib/access/keys";

const SOON_MS = 3 * 86_400_000;

interface KeyTableProps {
  caption: string;
  keys: readonly Key[];
  nowMs: number;
  revoke: RevokeAction;
}

export function KeyTable({ caption, keys, nowMs, revoke }: KeyTableProps) {
  return (
    <table className="key-table">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Label</th>
          <th scope="col">Key</th>
          <th scope="col">Scopes</th>
          <th scope="col">Allowed from</th>
          <th scope="col">Expires</th>
          <th scope="col">Last used</th>
          <th scope="col">Created</th>
          <th scope="col">Status</th>
          <th scope="col">
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <KeyLine key={key.id} apiKey={key} nowMs={nowMs} revoke={revoke} />
        ))}
      </tbody>
    </table>
  );
}

function KeyLine({ apiKey, nowMs, revoke }: { apiKey: Key; nowMs: number; revoke: RevokeAction }) {
  const { id, label, kind, start, last4, scopes, allowedCidrs, state, expiresAtMs, revokedAtMs, lastUsedAtMs } = apiKey;
  return (
    <tr data-state={state}>
      <th scope="row">
        <span className="key-label">{label}</span>
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
        {state === "revoked" ? (
          <span className="text-dim">–</span>
        ) : expiresAtMs === null ? (
          <span className="text-dim">never</span>
        ) : (
          <Moment atMs={expiresAtMs} nowMs={nowMs} urgent={state === "active" && expiresAtMs - nowMs < SOON_MS} />
        )}
      </td>
      <td data-label="Last used">
        {lastUsedAtMs === null ? <span className="text-dim">never</span> : <Moment atMs={lastUsedAtMs} nowMs={nowMs} />}
      </td>
      <td data-label="Created">
        <Moment atMs={apiKey.createdAtMs} nowMs={nowMs} />
      </td>
      <td data-label="Status">
        <span className="key-state" data-state={state}>
          <span aria-hidden className="key-state-dot" />
          {state}
          {revokedAtMs !== null && <Moment atMs={revokedAtMs} nowMs={nowMs} />}
        </span>
      </td>
      <td className="key-actions">{state === "active" && <RevokeKey id={id} label={label} action={revoke} />}</td>
    </tr>
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

function Moment({ atMs, nowMs, urgent = false }: { atMs: number; nowMs: number; urgent?: boolean }) {
  const iso = new Date(atMs).toISOString();
  return (
    <time
      dateTime={iso}
      title={`${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`}
      className={`whitespace-nowrap ${urgent ? "text-warn" : "text-dim"}`}
    >
      {relativeTime(atMs, nowMs)}
    </time>
  );
}

import { Countdown } from "@/components/shared/countdown";
import { Moment } from "@/components/shared/moment";
import { Fact, Facts } from "@/components/ui/facts";
import { Figure } from "@/components/ui/figure";
import { Link } from "@/components/ui/link";
import { type DotLook, State } from "@/components/ui/state";
import type { Key } from "@/lib/access/keys/key";
import { exceedsLifetime, formatDays, isUnused, UNUSED_DAYS } from "@/lib/access/keys/key-life";
import { formatCount } from "@/lib/text/text";

interface KeySummaryProps {
  apiKey: Key;
  nowMs: number;
  /** The other key of a rotation. */
  replaces: Key | undefined;
  replacedBy: Key | undefined;
  /** The longest life of new keys; null where the operator does not bound it. */
  maxLifetimeDays: number | null;
  /** The path of the pages of keys. */
  base?: string;
}

/** The facts of a key now. */
export function KeySummary({ apiKey, nowMs, replaces, replacedBy, maxLifetimeDays, base = "/keys" }: KeySummaryProps) {
  const { kind, createdAtMs, expiresAtMs, state } = apiKey;
  return (
    <Facts>
      <Fact name="Key">
        <ShownKey apiKey={apiKey} />
        {kind === "tool" && " (tool)"}
      </Fact>
      <Fact name="Status">
        <KeyStatus apiKey={apiKey} nowMs={nowMs} />
      </Fact>
      <Fact name="Expires">
        {state === "revoked" ? "–" : expiresAtMs === null ? "never" : <Moment atMs={expiresAtMs} nowMs={nowMs} />}
        <LifetimeMark apiKey={apiKey} maxDays={maxLifetimeDays} />
      </Fact>
      <Fact name="Last used, to the minute">
        <LastUsed apiKey={apiKey} nowMs={nowMs} />
      </Fact>
      <Fact name="Created">
        <Moment atMs={createdAtMs} nowMs={nowMs} />
      </Fact>
      {listRestrictions(apiKey).map(({ name, text }) => (
        <Fact key={name} name={name}>
          <span className="[overflow-wrap:anywhere]">{text}</span>
        </Fact>
      ))}
      {replaces !== undefined && (
        <Fact name="Replaces">
          <OtherKey apiKey={replaces} base={base} />
          {replaces.state === "active" && <KeyStatus apiKey={replaces} nowMs={nowMs} />}
        </Fact>
      )}
      {replacedBy !== undefined && (
        <Fact name="Replaced by">
          <OtherKey apiKey={replacedBy} base={base} />
        </Fact>
      )}
    </Facts>
  );
}

function OtherKey({ apiKey: { id, start, last4 }, base }: { apiKey: Key; base: string }) {
  return (
    <Link href={`${base}/${id}`} className="numerals mr-2 text-xs12 text-accent-ink underline underline-offset-4">
      {start}…{last4}
    </Link>
  );
}

/** Returns the class of a key's row: dim for a revoked or expired key. */
export function getEndedClass(state: Key["state"]): string | undefined {
  return state === "revoked" || state === "expired" ? "text-dim" : undefined;
}

/** The shown characters of a key: its first characters and its last four. */
export function ShownKey({ apiKey: { start, last4 } }: { apiKey: Key }) {
  return (
    <Figure as="code" className="text-xs12">
      {start}…{last4}
    </Figure>
  );
}

const DOTS: Readonly<Record<Key["state"], DotLook>> = {
  active: "good",
  disabled: "warning",
  revoked: "off",
  expired: "off",
};

/** The state of a key, and when it ends if it is about to. */
export function KeyStatus({ apiKey, nowMs }: { apiKey: Key; nowMs: number }) {
  const { state, revokedAtMs, revokedByOperator, disabledByOperator, restorableUntilMs, replacedById, expiresAtMs } =
    apiKey;
  const isEnding = replacedById !== null && expiresAtMs !== null && (state === "active" || state === "disabled");
  return (
    <State look={DOTS[state]}>
      {state}
      {(state === "revoked" ? revokedByOperator : state === "disabled" && disabledByOperator) && " by an operator"}{" "}
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
    </State>
  );
}

export function LastUsed({ apiKey, nowMs }: { apiKey: Key; nowMs: number }) {
  const { lastUse } = apiKey;
  const mark = isUnused(apiKey, nowMs) && <UnusedMark apiKey={apiKey} />;
  if (lastUse === null) {
    return (
      <>
        <span className="text-dim">never</span>
        {mark}
      </>
    );
  }
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
      {mark}
    </>
  );
}

/** Marks a key that no program seems to need. */
function UnusedMark({ apiKey: { lastUsedAtMs, createdAtMs } }: { apiKey: Key }) {
  const since = new Date(lastUsedAtMs ?? createdAtMs).toISOString().slice(0, 10);
  return (
    <span className="block text-2xs text-warn">
      unused for {UNUSED_DAYS} days: {lastUsedAtMs === null ? "created" : "last use"}{" "}
      <time dateTime={since}>{since}</time>
    </span>
  );
}

/** Marks a key that lives longer than the operator allows new keys. */
export function LifetimeMark({ apiKey, maxDays }: { apiKey: Key; maxDays: number | null }) {
  const isEnded = apiKey.state === "revoked" || apiKey.state === "expired";
  if (maxDays === null || isEnded || !exceedsLifetime(apiKey, maxDays)) return null;
  return <span className="block text-2xs text-warn">longer than the {formatDays(maxDays)} allowed</span>;
}

interface Restriction {
  readonly name: string;
  readonly text: string;
  /** For a table. */
  readonly short: string;
}

/** What a key may not do though its scopes and its plan would allow it. */
export function listRestrictions({
  allowedEndpoints,
  allowedSymbols,
  allowedOrigins,
  perMinuteLimit,
  perDayLimit,
}: Key): Restriction[] {
  const restrictions: Restriction[] = [];
  if (allowedEndpoints.length > 0) {
    const count = `${allowedEndpoints.length} ${allowedEndpoints.length === 1 ? "endpoint" : "endpoints"}`;
    restrictions.push({ name: "Only endpoints", text: allowedEndpoints.join(", "), short: `only ${count}` });
  }
  if (allowedSymbols.length > 0) {
    const [first, second, ...others] = allowedSymbols;
    const more = others.length === 0 ? "" : ` and ${others.length} more`;
    const short = `only ${[first, second].filter(Boolean).join(", ")}${more}`;
    restrictions.push({ name: "Only symbols", text: allowedSymbols.join(", "), short });
  }
  if (allowedOrigins.length > 0) {
    const count = `${allowedOrigins.length} ${allowedOrigins.length === 1 ? "origin" : "origins"}`;
    restrictions.push({ name: "Only pages of", text: allowedOrigins.join(", "), short: `only ${count}` });
  }
  if (perMinuteLimit !== null) restrictions.push(toLimit(perMinuteLimit, "minute"));
  if (perDayLimit !== null) restrictions.push(toLimit(perDayLimit, "day"));
  return restrictions;
}

function toLimit(limit: number, window: "minute" | "day"): Restriction {
  const count = formatCount(limit);
  return { name: `Own calls a ${window}`, text: count, short: `${count} a ${window}` };
}

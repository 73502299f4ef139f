import { Countdown } from "@/components/shared/countdown";
import { Moment } from "@/components/shared/moment";
import { type DotLook, State } from "@/components/ui/state";
import type { Key } from "@/lib/access/keys/key";
import { exceedsLifetime, formatDays, isUnused, UNUSED_DAYS } from "@/lib/access/keys/key-life";

/** Returns the class of a key's row: dim for a revoked or expired key. */
export function getEndedClass(state: Key["state"]): string | undefined {
  return state === "revoked" || state === "expired" ? "text-dim" : undefined;
}

/** The shown characters of a key: its first characters and its last four. */
export function ShownKey({ apiKey: { start, last4 } }: { apiKey: Key }) {
  return (
    <code className="numerals text-xs12">
      {start}…{last4}
    </code>
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

import { Moment } from "@/components/shared/moment";
import { Fact, Facts } from "@/components/ui/facts";
import { Link } from "@/components/ui/link";
import { KeyStatus, LastUsed, LifetimeMark, ShownKey } from "@/features/keys/key-cells";
import { listRestrictions } from "@/features/keys/restrictions";
import type { Key } from "@/lib/access/keys/key";

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

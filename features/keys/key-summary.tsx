import Link from "next/link";
import { Moment } from "@/components/shared/moment";
import { Fact } from "@/components/ui/fact";
import { KeyStatus, LastUsed } from "@/features/keys/key-table";
import type { Key } from "@/lib/access/keys/key";

interface KeySummaryProps {
  apiKey: Key;
  nowMs: number;
  /** The other half of a rotation, either way. */
  replaces: Key | undefined;
  replacedBy: Key | undefined;
  /** Where pages of keys are. */
  base?: string;
}

/** What a key is at this moment. */
export function KeySummary({ apiKey, nowMs, replaces, replacedBy, base = "/keys" }: KeySummaryProps) {
  const { start, last4, kind, createdAtMs, expiresAtMs, state } = apiKey;
  return (
    <dl className="facts">
      <Fact name="Key">
        <code className="numerals text-[0.75rem]">
          {start}…{last4}
        </code>
        {kind === "tool" && " (tool)"}
      </Fact>
      <Fact name="Status">
        <KeyStatus apiKey={apiKey} nowMs={nowMs} />
      </Fact>
      <Fact name="Expires">
        {state === "revoked" ? "–" : expiresAtMs === null ? "never" : <Moment atMs={expiresAtMs} nowMs={nowMs} />}
      </Fact>
      <Fact name="Last used, to the minute">
        <LastUsed apiKey={apiKey} nowMs={nowMs} />
      </Fact>
      <Fact name="Created">
        <Moment atMs={createdAtMs} nowMs={nowMs} />
      </Fact>
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
    </dl>
  );
}

function OtherKey({ apiKey: { id, start, last4 }, base }: { apiKey: Key; base: string }) {
  return (
    <Link href={`${base}/${id}`} className="numerals mr-2 text-[0.75rem] text-accent-ink underline underline-offset-4">
      {start}…{last4}
    </Link>
  );
}

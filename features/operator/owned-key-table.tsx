import { Moment } from "@/components/shared/moment";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { type Column, Table } from "@/components/ui/table";
import { getEndedClass, KeyStatus, LastUsed } from "@/features/keys/key-cells";
import type { Key } from "@/lib/access/keys/key";

/** A key with its owner's address, or null where the page names the owner. */
type OwnedKey = Key & { readonly ownerEmail: string | null };

interface OwnedKeyTableProps {
  keys: readonly OwnedKey[];
  nowMs: number;
}

/** Keys as an operator sees them. The forms are on each key's own page. */
export function OwnedKeyTable({ keys, nowMs }: OwnedKeyTableProps) {
  const ownerColumn: Column<OwnedKey> = {
    heading: "Account",
    cellClassName: "[overflow-wrap:anywhere]",
    cell: ({ accountId, ownerEmail }) => (
      <Link href={`/operator/accounts/${accountId}`} className="underline-offset-4 hover:underline">
        {ownerEmail}
      </Link>
    ),
  };
  const hasOwners = keys.some(({ ownerEmail }) => ownerEmail !== null);
  const columns: readonly Column<OwnedKey>[] = [
    { heading: "Key", cell: (key) => <KeyName apiKey={key} /> },
    { heading: "Label", cellClassName: "[overflow-wrap:anywhere]", cell: ({ label }) => label },
    ...(hasOwners ? [ownerColumn] : []),
    { heading: "Scopes", cell: ({ scopes }) => scopes.join(", ") },
    { heading: "Last used", cell: (key) => <LastUsed apiKey={key} nowMs={nowMs} /> },
    { heading: "Created", cell: ({ createdAtMs }) => <Moment atMs={createdAtMs} nowMs={nowMs} /> },
    { heading: "Status", cell: (key) => <KeyStatus apiKey={key} nowMs={nowMs} /> },
  ];
  return (
    <Table
      caption="Keys"
      columns={columns}
      rows={keys}
      getKey={({ id }) => id}
      look="cards"
      rowProps={({ state }) => ({ "data-state": state, className: getEndedClass(state) })}
    />
  );
}

function KeyName({ apiKey: { id, start, last4, kind } }: { apiKey: Key }) {
  return (
    <>
      <Link
        href={`/operator/keys/${id}`}
        className="numerals mr-2 text-xs12 leading-5 font-medium underline-offset-4 [overflow-wrap:anywhere] hover:underline"
      >
        {start}…{last4}
      </Link>
      {kind === "tool" && <Badge>tool</Badge>}
    </>
  );
}

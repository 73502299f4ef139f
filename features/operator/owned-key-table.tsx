import type { ReactNode } from "react";
import { Moment } from "@/components/shared/moment";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { type Column, Table } from "@/components/ui/table";
import { getEndedClass, KeyStatus, LastUsed } from "@/features/keys/key-summary";
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

/** The classes of a field of a filter. */
export const FILTER_BOX =
  "h-9 min-w-0 rounded-md border border-edge bg-raised px-2.5 text-ink placeholder:text-faint hover:border-dim max-md:h-10";

interface SearchInputProps {
  name: string;
  label: string;
  placeholder: string;
  /** The current search. */
  value: string;
  maxLength: number;
}

/** A search field for names and ids, without the browser's corrections. */
export function SearchInput({ name, label, placeholder, value, maxLength }: SearchInputProps) {
  return (
    <input
      type="search"
      name={name}
      aria-label={label}
      placeholder={placeholder}
      defaultValue={value}
      key={value}
      maxLength={maxLength}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      className={`flex-[0_1_24rem] max-md:col-span-full max-md:w-full ${FILTER_BOX}`}
    />
  );
}

interface FilterFormProps {
  /** The page that shows the results, with the fields in its address. */
  action: string;
  submit: string;
  children: ReactNode;
}

/** Filters a list by the page's address, so that it works without a script. */
export function FilterForm({ action, submit, children }: FilterFormProps) {
  return (
    <form
      action={action}
      role="search"
      className="flex flex-wrap gap-2 px-4 pb-3 max-md:grid max-md:grid-cols-2 max-md:px-3"
    >
      {children}
      <Button type="submit" className="max-md:col-span-full max-md:w-full">
        {submit}
      </Button>
    </form>
  );
}

import Link from "next/link";
import { Moment } from "@/components/shared/moment";
import { Badge } from "@/components/ui/badge";
import { KeyStatus, LastUsed } from "@/features/keys/key-table";
import type { Key } from "@/lib/access/keys/key";

interface OwnedKeyTableProps {
  /** With whose they are, or null where that is clear. */
  keys: readonly (Key & { readonly ownerEmail: string | null })[];
  nowMs: number;
}

/** Keys as the operator sees them. What can be done to one is on its own page. */
export function OwnedKeyTable({ keys, nowMs }: OwnedKeyTableProps) {
  const withOwner = keys.some(({ ownerEmail }) => ownerEmail !== null);
  return (
    <table className="card-table account-table">
      <caption className="sr-only">Keys</caption>
      <thead>
        <tr>
          <th scope="col">Key</th>
          <th scope="col">Label</th>
          {withOwner && <th scope="col">Account</th>}
          <th scope="col">Scopes</th>
          <th scope="col">Last used</th>
          <th scope="col">Created</th>
          <th scope="col">Status</th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.id} data-state={key.state}>
            <th scope="row">
              <Link
                href={`/operator/keys/${key.id}`}
                className="card-title numerals text-[0.75rem] underline-offset-4 hover:underline"
              >
                {key.start}…{key.last4}
              </Link>
              {key.kind === "tool" && <Badge>tool</Badge>}
            </th>
            <td data-label="Label" className="[overflow-wrap:anywhere]">
              {key.label}
            </td>
            {withOwner && (
              <td data-label="Account" className="[overflow-wrap:anywhere]">
                <Link href={`/operator/accounts/${key.accountId}`} className="underline-offset-4 hover:underline">
                  {key.ownerEmail}
                </Link>
              </td>
            )}
            <td data-label="Scopes">{key.scopes.join(", ")}</td>
            <td data-label="Last used">
              <LastUsed apiKey={key} nowMs={nowMs} />
            </td>
            <td data-label="Created">
              <Moment atMs={key.createdAtMs} nowMs={nowMs} />
            </td>
            <td data-label="Status">
              <KeyStatus apiKey={key} nowMs={nowMs} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

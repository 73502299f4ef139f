import Link from "next/link";
import type { ReactNode } from "react";
import type { Traffic } from "@/lib/access/usage/traffic";
import type { BusyKey } from "@/lib/pages/status-data";
import { formatCount } from "@/lib/text/number";

/** Who called what within the last minute. */
export function BusyTables({ traffic, keys }: { traffic: Traffic; keys: readonly BusyKey[] }) {
  return (
    <div className="busy-tables">
      <CallTable
        caption="Endpoints, last minute"
        heading="Endpoint"
        rows={traffic.endpoints.map(({ endpoint, ...calls }) => ({ id: endpoint, name: endpoint, ...calls }))}
      />
      <CallTable
        caption="Busiest keys, last minute"
        heading="Key"
        rows={keys.map(({ id, label, account, ...calls }) => ({
          id,
          ...calls,
          name:
            label === null ? (
              "a key that is gone"
            ) : (
              <>
                <Link href={`/operator/keys/${id}`} className="underline-offset-4 hover:underline">
                  {label}
                </Link>
                <span className="block text-2xs text-faint">{account}</span>
              </>
            ),
        }))}
      />
    </div>
  );
}

interface CallRow {
  readonly id: string;
  readonly name: ReactNode;
  readonly calls: number;
  readonly refused: number;
}

function CallTable({ caption, heading, rows }: { caption: string; heading: string; rows: readonly CallRow[] }) {
  return (
    <table className="status-table call-table">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{heading}</th>
          <th scope="col">Calls</th>
          <th scope="col">4xx, 5xx</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, name, calls, refused }) => (
          <tr key={id}>
            <th scope="row">{name}</th>
            <td>{formatCount(calls)}</td>
            <td>{formatCount(refused)}</td>
          </tr>
        ))}
        {rows.length === 0 && (
          <tr>
            <td colSpan={3} className="text-dim">
              No call in the last minute
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

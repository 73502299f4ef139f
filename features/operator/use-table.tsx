import type { EndpointUse } from "@/lib/access/accounts/overview";
import { formatCount } from "@/lib/text/number";

/** Calls by endpoint, most first. */
export function UseTable({ uses }: { uses: readonly EndpointUse[] }) {
  return (
    <table className="use-table">
      <caption className="sr-only">Calls by endpoint</caption>
      <thead>
        <tr>
          <th scope="col">Endpoint</th>
          <th scope="col">Answered</th>
          <th scope="col">Refused</th>
          <th scope="col">Credits</th>
        </tr>
      </thead>
      <tbody>
        {uses.map(({ endpoint, calls, refused, credits }) => (
          <tr key={endpoint}>
            <th scope="row">{endpoint}</th>
            <td>{formatCount(calls)}</td>
            <td>{formatCount(refused)}</td>
            <td>{formatCount(credits)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

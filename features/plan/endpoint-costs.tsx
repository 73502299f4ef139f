export interface EndpointCost {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly credits: number;
  /** Whether the account's plan opens it; "partly" where it depends on what is asked. */
  readonly open: "yes" | "no" | "partly";
}

const openText = { yes: "yes", no: "no", partly: "in part" } as const;

/** What a call of each endpoint costs, and whether the account's plan opens it. */
export function EndpointCosts({ costs }: { costs: readonly EndpointCost[] }) {
  return (
    <div className="overflow-x-auto rounded-lg border border-line" tabIndex={0} role="region" aria-label="Costs">
      <table className="plan-costs">
        <caption className="sr-only">Credits that a call of each endpoint costs</caption>
        <thead>
          <tr>
            <th scope="col">Endpoint</th>
            <th scope="col">Answers</th>
            <th scope="col">Credits</th>
            <th scope="col">In your plan</th>
          </tr>
        </thead>
        <tbody>
          {costs.map(({ method, path, summary, credits, open }) => (
            <tr key={`${method} ${path}`}>
              <th scope="row">
                <code>
                  <span className="text-faint">{method}</span> {path}
                </code>
              </th>
              <td>{summary}</td>
              <td className="numerals">{credits}</td>
              <td data-open={open}>{openText[open]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

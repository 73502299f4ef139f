export interface PlanGain {
  readonly label: string;
  readonly gained: readonly string[];
  /** What the account has and this plan has not. */
  readonly lost: readonly string[];
  /** Paths of endpoints that it opens. */
  readonly opened: readonly string[];
}

/** What each other plan has that the account's own has not. */
export function PlanGains({ gains }: { gains: readonly PlanGain[] }) {
  return (
    <dl className="plan-gains">
      {gains.map(({ label, gained, lost, opened }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <ul>
              {gained.map((each) => (
                <li key={each}>{each}</li>
              ))}
            </ul>
            {opened.length > 0 && (
              <p>
                Opens{" "}
                {opened.map((path, index) => (
                  <span key={path}>
                    {index > 0 && ", "}
                    <code>{path}</code>
                  </span>
                ))}
              </p>
            )}
            {lost.length > 0 && <p>But not: {lost.join(", ")}.</p>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

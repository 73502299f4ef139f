import type { PlanGain } from "@/features/plan/types";

/** The terms that each other plan adds. */
export function PlanGains({ gains }: { gains: readonly PlanGain[] }) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(13.5rem,1fr))] gap-x-8 gap-y-4 text-xs13">
      {gains.map(({ label, gained, lost, opened }) => (
        <div key={label}>
          <dt className="border-b border-line pb-1 font-medium">{label}</dt>
          <dd className="pt-1.5 text-dim">
            <ul>
              {gained.map((each) => (
                <li
                  key={each}
                  className="pl-3.5 -indent-3.5 before:font-mono before:text-accent-ink before:content-['+_']"
                >
                  {each}
                </li>
              ))}
            </ul>
            {opened.length > 0 && (
              <p className="mt-1.5 [overflow-wrap:anywhere]">
                Adds{" "}
                {opened.map((path, index) => (
                  <span key={path}>
                    {index > 0 && ", "}
                    <code className="font-mono text-xs12">{path}</code>
                  </span>
                ))}
              </p>
            )}
            {lost.length > 0 && <p className="mt-1.5 [overflow-wrap:anywhere]">Does not include: {lost.join(", ")}.</p>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

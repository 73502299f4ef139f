import { CHECK_CLASS } from "@/components/ui/pill";
import type { ScopeGuide } from "@/features/keys/types";
import type { Scope } from "@/lib/access/scopes";

const texts: Readonly<Record<Scope, { title: string; text: string }>> = {
  quotes: { title: "Quotes", text: "Live bid and ask, one symbol or many, and the list of symbols." },
  indicators: { title: "Indicators", text: "Technical indicators and the screener." },
  historical: { title: "Historical", text: "Bars, ticks and the history of indicators." },
  premium: { title: "Premium", text: "Summaries, many symbols at once and the strength heatmap." },
  all: { title: "All data", text: "All of the above, and data of scopes added later." },
  alerts: { title: "Alerts", text: "Reads and changes your alerts and webhooks. No other scope includes it." },
};

interface ScopesFieldProps {
  guides: readonly ScopeGuide[];
  value: readonly Scope[];
  onChange: (scopes: readonly Scope[]) => void;
  error: string | undefined;
}

/** The scopes of a key. Each lists its endpoints and their weights. */
export function ScopesField({ guides, value, onChange, error }: ScopesFieldProps) {
  const everything = value.includes("all");
  return (
    <fieldset aria-describedby="scopes-error">
      <legend className="mb-1.5 font-medium">Scopes</legend>
      <div className="divide-y divide-line rounded-md border border-line bg-panel">
        {guides.map(({ scope, endpoints }) => {
          const covered = everything && scope !== "all" && scope !== "alerts";
          return (
            <label key={scope} className="flex items-start gap-2.5 p-3 hover:bg-hover">
              <input
                type="checkbox"
                name="scopes"
                value={scope}
                checked={covered || value.includes(scope)}
                disabled={covered}
                aria-invalid={error !== undefined && scope === guides[0]?.scope ? true : undefined}
                onChange={(event) =>
                  onChange(event.target.checked ? [...value, scope] : value.filter((other) => other !== scope))
                }
                className={CHECK_CLASS}
              />
              <span className="grid min-w-0 gap-0.5">
                <span>{texts[scope].title}</span>
                <span className="text-xs13 text-dim">{texts[scope].text}</span>
                {scope !== "all" && (
                  <span className="numerals text-2xs leading-5 text-faint">
                    {endpoints.length === 0
                      ? "No endpoints in this version"
                      : endpoints.map(({ path, weight }) => (
                          <span key={path} className="mr-3 inline-block">
                            {path.replace("/v1", "")} {weight}×
                          </span>
                        ))}
                  </span>
                )}
              </span>
            </label>
          );
        })}
      </div>
      <div id="scopes-error" aria-live="polite" className="mt-1.5 text-xs13 text-down empty:hidden">
        {error}
      </div>
    </fieldset>
  );
}

import type { EndpointLine, ScopeGuide } from "@/features/keys/key-form-state";
import type { KindTerms } from "@/features/keys/kind-field";
import type { Scope } from "@/lib/access/scopes";

interface KeyPreviewProps {
  guides: readonly ScopeGuide[];
  unscoped: readonly EndpointLine[];
  scopes: readonly Scope[];
  terms: KindTerms | undefined;
}

/** What the key being made will be able to call, and how often. */
export function KeyPreview({ guides, unscoped, scopes, terms }: KeyPreviewProps) {
  const opened = new Map<string, EndpointLine>();
  for (const { scope, endpoints } of guides) {
    if (scopes.includes(scope)) for (const line of endpoints) opened.set(`${line.method} ${line.path}`, line);
  }
  for (const line of unscoped) opened.set(`${line.method} ${line.path}`, line);
  return (
    <aside aria-labelledby="preview-title" className="content-start lg:sticky lg:top-6 lg:self-start">
      <h2 id="preview-title" className="font-medium">
        This key can call
      </h2>
      {opened.size === 0 ? (
        <p className="mt-2 text-[0.8125rem] text-dim">Nothing yet: choose a scope.</p>
      ) : (
        <table className="mt-2 w-full text-[0.8125rem]">
          <thead>
            <tr className="border-b border-line text-faint">
              <th scope="col" className="py-1.5 text-left font-normal">
                Endpoint
              </th>
              <th scope="col" className="py-1.5 text-right font-normal">
                Credits
              </th>
            </tr>
          </thead>
          <tbody className="numerals text-[0.75rem]">
            {[...opened.values()].map(({ method, path, weight }) => (
              <tr key={method + path} className="border-b border-line">
                <td className="py-1.5">
                  <span className="inline-block w-11 text-faint">{method}</span>
                  {path}
                </td>
                <td className="py-1.5 text-right">{weight}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {terms !== undefined && (
        <dl className="mt-4 grid grid-cols-2 gap-y-1 text-[0.8125rem]">
          <dt className="text-dim">Calls a minute</dt>
          <dd className="numerals text-right">{terms.perMinute}</dd>
          <dt className="text-dim">Calls a day, all keys</dt>
          <dd className="numerals text-right">{terms.perDay}</dd>
        </dl>
      )}
    </aside>
  );
}

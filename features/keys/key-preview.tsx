import { type Column, Table } from "@/components/ui/table";
import type { EndpointLine, KindTerms, ScopeGuide } from "@/features/keys/types";
import type { Scope } from "@/lib/access/scopes";

interface KeyPreviewProps {
  guides: readonly ScopeGuide[];
  unscoped: readonly EndpointLine[];
  scopes: readonly Scope[];
  terms: KindTerms | undefined;
}

const COLUMNS: readonly Column<EndpointLine>[] = [
  {
    heading: "Endpoint",
    headingClassName: "text-xs13!",
    cellClassName: "numerals text-xs12",
    cell: ({ method, path }) => (
      <>
        <span className="inline-block w-11 text-faint">{method}</span>
        {path}
      </>
    ),
  },
  {
    heading: "Credits",
    isNumeric: true,
    headingClassName: "text-xs13!",
    cellClassName: "numerals text-xs12",
    cell: ({ weight }) => weight,
  },
];

/** The endpoints that the key can call, and its limits. */
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
        <p className="mt-2 text-xs13 text-dim">Nothing yet: choose a scope.</p>
      ) : (
        <Table
          caption="Endpoints that this key can call"
          columns={COLUMNS}
          rows={[...opened.values()]}
          getKey={({ method, path }) => method + path}
          look="text"
          hasRowHeadings={false}
          className="mt-2 w-full"
          cellClassName="border-b border-line py-1.5"
        />
      )}
      {terms !== undefined && (
        <dl className="mt-4 grid grid-cols-2 gap-y-1 text-xs13">
          <dt className="text-dim">Calls a minute</dt>
          <dd className="numerals text-right">{terms.perMinute}</dd>
          <dt className="text-dim">Calls a day, all keys</dt>
          <dd className="numerals text-right">{terms.perDay}</dd>
        </dl>
      )}
    </aside>
  );
}

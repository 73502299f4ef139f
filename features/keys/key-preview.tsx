import { Link } from "@/components/ui/link";
import { type Column, Table } from "@/components/ui/table";
import { listKeyEndpoints } from "@/features/keys/key-endpoints";
import type { EndpointLine, KeyFormValues, KindTerms, ScopeGuide } from "@/features/keys/types";
import { formatPlansWith } from "@/lib/access/plan-text";

interface KeyPreviewProps {
  guides: readonly ScopeGuide[];
  unscoped: readonly EndpointLine[];
  values: KeyFormValues;
  terms: KindTerms;
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

/** The endpoints that the key can call, those that its plan refuses, and its limits. */
export function KeyPreview({ guides, unscoped, values, terms }: KeyPreviewProps) {
  const { open, partly, refused } = listKeyEndpoints({ guides, unscoped }, values, terms.entitlements);
  const symbols = [...values.categories, values.symbols.trim()].filter(Boolean).join(", ");
  return (
    <aside aria-labelledby="preview-title" className="content-start lg:sticky lg:top-6 lg:self-start">
      <h2 id="preview-title" className="font-medium">
        This key can call
      </h2>
      <Table
        caption="Endpoints that this key can call"
        columns={COLUMNS}
        rows={[...open, ...partly]}
        getKey={({ method, path }) => method + path}
        look="text"
        hasRowHeadings={false}
        className="mt-2 w-full"
        cellClassName="border-b border-line py-1.5"
      />
      <Refused title="Refused in part" lines={partly} kind={terms.kind} />
      <Refused
        title={terms.kind === "tool" ? "Refused to tool keys" : "Refused by your plan"}
        lines={refused}
        kind={terms.kind}
      />
      {partly.length + refused.length > 0 && (
        <Link href="/plan" className="mt-1.5 inline-block text-xs12 text-accent-ink underline underline-offset-4">
          Compare plans
        </Link>
      )}
      <dl className="mt-4 grid grid-cols-2 gap-y-1 text-xs13">
        <dt className="text-dim">Calls a minute</dt>
        <dd className="numerals text-right">{values.perMinute.trim() || terms.perMinute}</dd>
        {values.perDay.trim() !== "" && (
          <>
            <dt className="text-dim">Calls a day, this key</dt>
            <dd className="numerals text-right">{values.perDay}</dd>
          </>
        )}
        <dt className="text-dim">Calls a day, all keys</dt>
        <dd className="numerals text-right">{terms.perDay}</dd>
        <dt className="text-dim">Symbols</dt>
        <dd className="text-right [overflow-wrap:anywhere]">{symbols || "all"}</dd>
      </dl>
    </aside>
  );
}

interface RefusedProps {
  title: string;
  lines: readonly EndpointLine[];
  kind: KindTerms["kind"];
}

/** Endpoints that the plan refuses, and the plans that include them. */
function Refused({ title, lines, kind }: RefusedProps) {
  if (lines.length === 0) return null;
  return (
    <section aria-label={title} className="mt-4 text-xs13">
      <h3 className="text-dim">{title}</h3>
      <ul className="mt-1 grid gap-1.5">
        {lines.map(({ method, path, entitlement, isConditional }) => (
          <li key={method + path}>
            <span className="numerals text-xs12 text-dim">{path}</span>
            {entitlement !== null && (
              <span className="block text-xs12 text-faint">
                {isConditional ? "Every call" : "Included"} in {formatPlansWith(entitlement)}
                {kind === "tool" && ", for standard keys"}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

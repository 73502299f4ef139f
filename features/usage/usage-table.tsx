import Link from "next/link";
import { outcomes } from "@/features/usage/usage-text";
import type { UsageCounts } from "@/lib/access/usage/usage-report";
import { formatCount } from "@/lib/text/number";

export interface UsageTableLine {
  readonly name: string;
  /** Where a narrower view of it is, if there is one. */
  readonly href: string | null;
  readonly counts: UsageCounts;
}

interface UsageTableProps {
  caption: string;
  /** What stands in the first column. */
  heading: string;
  lines: readonly UsageTableLine[];
}

/** Calls by what became of them and the credits they cost, line by line. */
export function UsageTable({ caption, heading, lines }: UsageTableProps) {
  return (
    <div className="usage-scroll" tabIndex={0} role="region" aria-label={caption}>
      <table className="usage-table">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{heading}</th>
            {outcomes.map(({ key, label }) => (
              <th key={key} scope="col">
                {label}
              </th>
            ))}
            <th scope="col">Credits</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ name, href, counts }) => (
            <tr key={name}>
              <th scope="row">
                {href === null ? (
                  name
                ) : (
                  <Link href={href} className="underline-offset-4 hover:underline">
                    {name}
                  </Link>
                )}
              </th>
              {outcomes.map(({ key }) => (
                <td key={key} data-zero={counts[key] === 0 || undefined}>
                  {formatCount(counts[key])}
                </td>
              ))}
              <td>{formatCount(counts.credits)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

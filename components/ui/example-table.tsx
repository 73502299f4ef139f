import { Figure } from "@/components/ui/figure";
interface ExampleTableProps {
  /** Says that these are no current figures. */
  caption: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

/** Shows what a page would contain where the plan lacks it. */
export function ExampleTable({ caption, columns, rows }: ExampleTableProps) {
  return (
    <figure className="mx-auto max-w-4xl px-4 pb-10">
      <div tabIndex={0} role="group" aria-label="Example" className="overflow-x-auto rounded-lg border border-line">
        <table className="w-full text-xs13 whitespace-nowrap text-dim">
          <thead>
            <tr className="border-b border-line text-2xs text-faint">
              {columns.map((name) => (
                <th key={name} scope="col" className="px-4 py-2 text-left font-normal">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells) => (
              <tr key={cells.join()} className="border-b border-line last:border-0">
                {cells.map((cell, index) => (
                  <Figure as="td" key={columns[index]} className="px-4 py-2">
                    {cell}
                  </Figure>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <figcaption className="mt-2 text-center text-xs12 text-balance text-faint">{caption}</figcaption>
    </figure>
  );
}

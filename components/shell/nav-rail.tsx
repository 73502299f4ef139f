import { createElement } from "react";
import { PageAnchor } from "@/components/shell/nav-links";
import { getPageIcon } from "@/components/shell/page-icons";
import { type Audience, listPageGroups } from "@/components/shell/pages";

/** The pages in their groups: a column beside the page. */
export function NavRail({ audience }: { audience: Audience }) {
  return listPageGroups(audience).map(({ name, pages }) => (
    <section
      key={name}
      className="px-2 not-first:mt-4 [@media(max-height:60rem)]:not-first:mt-3"
      aria-labelledby={`pages-${name}`}
    >
      <h2 id={`pages-${name}`} className="px-2.5 pb-1 text-2xs text-faint">
        {name}
      </h2>
      <ul className="grid gap-0.5">
        {pages.map(({ href, label }) => (
          <li key={href}>
            <PageAnchor
              page={{ href, label, icon: <PageIcon href={href} size={16} /> }}
              className="h-8 gap-2.5 rounded-md px-2.5 hover:bg-hover aria-[current]:bg-hover [@media(max-height:60rem)]:h-7"
            />
          </li>
        ))}
      </ul>
    </section>
  ));
}

export function PageIcon({ href, size }: { href: string; size: number }) {
  return createElement(getPageIcon({ href }), { "aria-hidden": true, size, strokeWidth: 1.75 });
}

"use client";

import { Ellipsis, LoaderCircle } from "lucide-react";
import { useLinkStatus } from "next/link";
import { usePathname, useSearchParams } from "next/navigation";
import type { ReactNode } from "react";
import type { PageLink } from "@/components/shell/pages";
import { findSymbol, withSymbol } from "@/components/shell/shortcuts";
import { Link } from "@/components/ui/link";

/** A bar has space for five entries. With more pages, the last entry opens the others. */
const MOST_ON_BAR = 5;
const MORE = "more-pages";

/** A page with its icon, which the server draws. */
export interface NavLink extends Omit<PageLink, "goKey"> {
  readonly icon: ReactNode;
}

/** The most used pages at the foot of a phone, and a popover above them with the others. */
export function NavBar({ pages }: { pages: readonly NavLink[] }) {
  const path = usePathname();
  const onBar = pages.length <= MOST_ON_BAR ? pages : pages.filter((page) => page.onBar);
  const behindMore = pages.filter((page) => !onBar.includes(page));
  const isBehindMore = behindMore.some(({ href }) => isAt(path, href));
  return (
    <>
      <ul className="grid h-14 auto-cols-fr grid-flow-col">
        {onBar.map((page) => (
          <li key={page.href} className="min-w-0">
            <PageAnchor page={page} className="h-full flex-col justify-center gap-1 text-2xs" />
          </li>
        ))}
        {behindMore.length > 0 && (
          <li className="min-w-0">
            <button
              type="button"
              popoverTarget={MORE}
              className={`flex h-full w-full flex-col items-center justify-center gap-1 text-2xs hover:text-ink ${isBehindMore ? "text-ink" : "text-dim"}`}
            >
              <Ellipsis aria-hidden size={18} strokeWidth={1.75} className={isBehindMore ? "text-accent-ink" : ""} />
              More
              {isBehindMore && <span className="sr-only">, contains the current page</span>}
            </button>
          </li>
        )}
      </ul>
      {behindMore.length > 0 && (
        <div
          id={MORE}
          popover="auto"
          className="top-auto right-2 bottom-[calc(4rem+env(safe-area-inset-bottom))] left-2 w-auto rounded-lg border border-line bg-raised p-1.5 shadow-float"
        >
          <ul className="grid grid-cols-2 gap-1">
            {behindMore.map((page) => (
              <li key={page.href}>
                <PageAnchor
                  page={page}
                  className="h-11 gap-2.5 rounded-md px-3 hover:bg-hover aria-[current]:bg-hover"
                  // The frame, and with it the popover, stays when the page changes.
                  onFollow={() => document.getElementById(MORE)?.hidePopover()}
                />
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

interface PageAnchorProps {
  page: NavLink;
  className: string;
  onFollow?: () => void;
}

/** A link to a page, which is marked while it is shown. */
export function PageAnchor({ page: { href, label, icon }, className, onFollow }: PageAnchorProps) {
  const path = usePathname();
  const symbol = findSymbol(path, useSearchParams());
  const here = isAt(path, href);
  return (
    <Link
      href={withSymbol(href, symbol)}
      aria-current={here ? "page" : undefined}
      onClick={onFollow}
      className={`group relative flex items-center whitespace-nowrap text-dim hover:text-ink aria-[current]:text-ink ${className}`}
    >
      <LinkIcon icon={icon} />
      {label}
    </Link>
  );
}

function isAt(path: string, href: string): boolean {
  return path === href || path.startsWith(`${href}/`);
}

/** The icon of a page, or a spinner while the page loads. */
function LinkIcon({ icon }: { icon: ReactNode }) {
  const { pending } = useLinkStatus();
  return (
    <span aria-hidden className={`flex-none ${pending ? "text-accent-ink" : "group-aria-[current]:text-accent-ink"}`}>
      {pending ? <LoaderCircle size={16} strokeWidth={1.75} className="animate-spin" /> : icon}
    </span>
  );
}

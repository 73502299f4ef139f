import type { ComponentProps, ReactNode } from "react";
import { AccountMenu } from "@/components/shell/account-menu";
import { Commands } from "@/components/shell/commands/commands";
import { SearchButton } from "@/components/shell/commands/search-button";
import { NavBar, type NavLink } from "@/components/shell/nav-links";
import { NavRail, PageIcon } from "@/components/shell/nav-rail";
import { NoticeBell } from "@/components/shell/notice-bell";
import { OfflineWorker } from "@/components/shell/offline/offline-worker";
import { type Audience, listPageGroups } from "@/components/shell/pages";
import { Wordmark } from "@/components/shell/wordmark";

interface FrameProps {
  menu: Omit<ComponentProps<typeof AccountMenu>, "place">;
  /** The number of new notices; null for visitors of the demo, who get none. */
  newNotices: number | null;
  /** What is shown beside the bell. */
  badge?: ReactNode;
  children: ReactNode;
}

/** The dashboard around its pages: a rail beside them, or on a phone a bar above and one below. */
export function Frame({ menu, newNotices, badge, children }: FrameProps) {
  return (
    <div className="grid min-h-dvh grid-cols-[11.75rem_minmax(0,1fr)] max-md:block print:block print:p-0! max-md:pb-[calc(3.5rem+env(safe-area-inset-bottom))]">
      <header className="sticky top-0 flex h-dvh flex-col border-r border-line bg-panel max-md:hidden print:hidden">
        <div className="flex h-12 items-center justify-between pr-2 pl-4.5">
          <Wordmark />
          <div className="flex items-center">
            {badge}
            {newNotices !== null && <NoticeBell initial={newNotices} />}
          </div>
        </div>
        <SearchButton place="rail" />
        <nav aria-label="Main" className="mt-2.5 min-h-0 flex-1 overflow-y-auto py-1">
          <NavRail audience={menu.audience} />
        </nav>
        <div className="pb-2">
          <AccountMenu {...menu} place="rail" />
        </div>
      </header>
      <header className="hidden h-12 items-center justify-between border-b border-line bg-panel pr-1.5 pl-3 max-md:flex print:hidden">
        <Wordmark />
        <div className="flex items-center">
          {badge}
          <SearchButton place="bar" />
          {newNotices !== null && <NoticeBell initial={newNotices} />}
          <AccountMenu {...menu} place="bar" />
        </div>
      </header>
      <main id="content" tabIndex={-1} className="min-w-0 outline-none">
        {children}
      </main>
      <nav
        aria-label="Main"
        className="fixed inset-x-0 bottom-0 z-10 hidden border-t border-line bg-panel pb-[env(safe-area-inset-bottom)] max-md:block print:hidden"
      >
        <NavBar pages={listBarLinks(menu.audience)} />
      </nav>
      <OfflineWorker />
      <Commands audience={menu.audience} />
    </div>
  );
}

function listBarLinks(audience: Audience): NavLink[] {
  return listPageGroups(audience)
    .flatMap(({ pages }) => pages)
    .map(({ href, label, onBar }) => ({ href, label, onBar, icon: <PageIcon href={href} size={18} /> }));
}

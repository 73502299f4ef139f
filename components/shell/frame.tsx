import { BookOpen, ChevronsUpDown, Layers, LogIn, LogOut, type LucideIcon, ShieldCheck, User } from "lucide-react";
import { type ComponentProps, createElement, type ReactNode } from "react";
import { Commands, SearchButton } from "@/components/shell/commands";
import { NavBar, type NavLink, PageAnchor } from "@/components/shell/nav-links";
import { NoticeBell } from "@/components/shell/notice-bell";
import { OfflineWorker } from "@/components/shell/offline-worker";
import { getPageIcon } from "@/components/shell/page-icons";
import { type Audience, listPageGroups } from "@/components/shell/pages";
import { PastButton, PastSlot } from "@/components/shell/past-slot";
import type { PastFacts } from "@/components/shell/past-steps";
import { Wordmark } from "@/components/shell/wordmark";
import { Link } from "@/components/ui/link";
import type { Palette, Theme } from "@/components/ui/theme";
import { PaletteSwitch, ThemeSwitch } from "@/components/ui/theme-switch";

interface FrameProps {
  menu: Omit<ComponentProps<typeof AccountMenu>, "place">;
  /** The number of new notices; null for visitors of the demo, who get none. */
  newNotices: number | null;
  /** What is shown beside the bell. */
  badge?: ReactNode;
  past: PastFacts;
  children: ReactNode;
}

/** The dashboard around its pages: a rail beside them, or on a phone a bar above and one below. */
export function Frame({ menu, newNotices, badge, past, children }: FrameProps) {
  return (
    <div
      data-frame
      className="grid min-h-dvh grid-cols-[11.75rem_minmax(0,1fr)] max-md:block print:block print:p-0! max-md:pb-[calc(3.5rem+env(safe-area-inset-bottom))]"
    >
      <header className="sticky top-0 flex h-dvh flex-col border-r border-line bg-panel max-md:hidden print:hidden">
        <div className="flex h-12 items-center justify-between pr-2 pl-4.5">
          <Wordmark />
          <div className="flex items-center">
            {badge}
            <PastButton className="size-8" />
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
          <PastButton className="size-10 max-[21rem]:hidden" />
          <SearchButton place="bar" />
          {newNotices !== null && <NoticeBell initial={newNotices} />}
          <AccountMenu {...menu} place="bar" />
        </div>
      </header>
      <div className="min-w-0">
        <PastSlot {...past} />
        <main id="content" tabIndex={-1} className="outline-none">
          {children}
        </main>
      </div>
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

interface AccountMenuProps {
  email: string;
  plan: string;
  audience: Audience;
  theme: Theme;
  palette: Palette;
  /** Signs out, or leaves the demo. */
  leave: () => Promise<void>;
  /** At the foot of the rail, or at the end of a phone's top bar. */
  place: "rail" | "bar";
}

interface MenuLink {
  readonly href: string;
  readonly label: string;
  readonly Icon: LucideIcon;
}

const DOCUMENTATION: MenuLink = { href: "/docs", label: "Documentation", Icon: BookOpen };
const ACCOUNT_LINKS: readonly MenuLink[] = [
  { href: "/plan", label: "Plan", Icon: Layers },
  { href: "/account", label: "Sign-in and security", Icon: ShieldCheck },
  DOCUMENTATION,
];
const DEMO_LINKS: readonly MenuLink[] = [{ href: "/sign-in", label: "Sign in", Icon: LogIn }, DOCUMENTATION];
const ITEM_CLASS = "flex h-9 items-center gap-2 rounded-sm px-2 hover:bg-hover";

/** The signed-in account and its links, or those of a visitor of the demo. A native popover works without a script. */
function AccountMenu({ email, plan, audience, theme, palette, leave, place }: AccountMenuProps) {
  const id = `account-menu-${place}`;
  return (
    <>
      {place === "rail" ? (
        <button
          type="button"
          popoverTarget={id}
          className="mx-2 flex w-[calc(100%-1rem)] items-center gap-2 rounded-md px-2.5 py-2 text-left hover:bg-hover"
        >
          <span className="grid min-w-0 flex-1">
            <span translate="no" className="truncate text-xs13">
              {email}
            </span>
            <span className="text-2xs text-faint">{plan}</span>
          </span>
          <ChevronsUpDown aria-hidden size={14} className="flex-none text-faint" />
          <span className="sr-only">Account menu</span>
        </button>
      ) : (
        <button
          type="button"
          popoverTarget={id}
          aria-label={`Account menu, ${email}`}
          className="grid size-10 place-items-center rounded-md text-dim hover:text-ink"
        >
          <User aria-hidden size={18} strokeWidth={1.75} />
        </button>
      )}
      <div
        id={id}
        popover="auto"
        className={`m-1.5 w-68 rounded-lg border border-line bg-raised shadow-float ${place === "rail" ? "top-auto right-auto bottom-14 left-0.5" : "top-11 right-1 bottom-auto left-auto"}`}
      >
        <div className="border-b border-line px-3 pt-2.5 pb-3">
          <p translate="no" className="truncate font-medium">
            {email}
          </p>
          <p className="mt-0.5 text-xs13 text-dim">
            {audience === "demo"
              ? "Everything is live, and nothing can be changed."
              : `${plan} plan${audience === "operator" ? ", operator" : ""}`}
          </p>
        </div>
        <div className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-2 border-b border-line px-3 py-2.5 text-xs13 text-dim">
          <span>Theme</span>
          <ThemeSwitch initial={theme} name={`${id}-theme`} />
          <span>Colours of prices</span>
          <PaletteSwitch initial={palette} name={`${id}-palette`} />
        </div>
        <div className="border-b border-line p-1">
          {(audience === "demo" ? DEMO_LINKS : ACCOUNT_LINKS).map(({ href, label, Icon }) => (
            <Link key={href} href={href} className={ITEM_CLASS}>
              <Icon aria-hidden size={15} strokeWidth={1.75} className="text-faint" />
              {label}
            </Link>
          ))}
        </div>
        <form action={leave} className="p-1">
          <button type="submit" className={`w-full ${ITEM_CLASS}`}>
            <LogOut aria-hidden size={15} strokeWidth={1.75} className="text-faint" />
            {audience === "demo" ? "Leave the demo" : "Sign out"}
          </button>
        </form>
      </div>
    </>
  );
}

/** The pages in their groups: a column beside the page. */
function NavRail({ audience }: { audience: Audience }) {
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

function PageIcon({ href, size }: { href: string; size: number }) {
  return createElement(getPageIcon({ href }), { "aria-hidden": true, size, strokeWidth: 1.75 });
}

import { BookOpen, ChevronsUpDown, Layers, LogIn, LogOut, type LucideIcon, ShieldCheck, User } from "lucide-react";
import type { Audience } from "@/components/shell/pages";
import { Link } from "@/components/ui/link";
import type { Palette, Theme } from "@/components/ui/theme";
import { PaletteSwitch, ThemeSwitch } from "@/components/ui/theme-switch";

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
export function AccountMenu({ email, plan, audience, theme, palette, leave, place }: AccountMenuProps) {
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
            <span className="truncate text-xs13">{email}</span>
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
          <p className="truncate font-medium">{email}</p>
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

import { BookOpen, ChevronsUpDown, Layers, LogOut, ShieldCheck, User } from "lucide-react";
import { Link } from "@/components/ui/link";
import type { Palette, Theme } from "@/components/ui/theme";
import { PaletteSwitch, ThemeSwitch } from "@/components/ui/theme-switch";

interface AccountMenuProps {
  email: string;
  plan: string;
  operator: boolean;
  theme: Theme;
  palette: Palette;
  signOut: () => Promise<void>;
  /** At the foot of the rail, or at the end of a phone's top bar. */
  place: "rail" | "bar";
}

/** The signed-in account and its links. A native popover works without a script. */
export function AccountMenu({ email, plan, operator, theme, palette, signOut, place }: AccountMenuProps) {
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
            {plan} plan{operator ? ", operator" : ""}
          </p>
        </div>
        <div className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-2 border-b border-line px-3 py-2.5 text-xs13 text-dim">
          <span>Theme</span>
          <ThemeSwitch initial={theme} name={`${id}-theme`} />
          <span>Colours of prices</span>
          <PaletteSwitch initial={palette} name={`${id}-palette`} />
        </div>
        <div className="border-b border-line p-1">
          <Link href="/plan" className="flex h-9 items-center gap-2 rounded-sm px-2 hover:bg-hover">
            <Layers aria-hidden size={15} strokeWidth={1.75} className="text-faint" />
            Plan
          </Link>
          <Link href="/account" className="flex h-9 items-center gap-2 rounded-sm px-2 hover:bg-hover">
            <ShieldCheck aria-hidden size={15} strokeWidth={1.75} className="text-faint" />
            Sign-in and security
          </Link>
          <Link href="/docs" className="flex h-9 items-center gap-2 rounded-sm px-2 hover:bg-hover">
            <BookOpen aria-hidden size={15} strokeWidth={1.75} className="text-faint" />
            Documentation
          </Link>
        </div>
        <form action={signOut} className="p-1">
          <button type="submit" className="flex h-9 w-full items-center gap-2 rounded-sm px-2 hover:bg-hover">
            <LogOut aria-hidden size={15} strokeWidth={1.75} className="text-faint" />
            Sign out
          </button>
        </form>
      </div>
    </>
  );
}

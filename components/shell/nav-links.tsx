"use client";

import { KeyRound, LoaderCircle, Rows3, type LucideIcon } from "lucide-react";
import Link, { useLinkStatus } from "next/link";
import { usePathname } from "next/navigation";

const links = [
  { href: "/quotes", label: "Quotes", Icon: Rows3 },
  { href: "/keys", label: "API keys", Icon: KeyRound },
] as const;

/** The pages there are: a column beside the page, or a bar at the foot of a phone. */
export function NavLinks({ layout }: { layout: "rail" | "bar" }) {
  const path = usePathname();
  return (
    <ul className={layout === "rail" ? "grid gap-0.5 px-2" : "grid h-14 grid-cols-2"}>
      {links.map(({ href, label, Icon }) => {
        const here = path === href || path.startsWith(`${href}/`);
        const shape =
          layout === "rail"
            ? "h-8 gap-2.5 rounded-md px-2.5 hover:bg-hover aria-[current]:bg-hover"
            : "h-full flex-col justify-center gap-1 text-2xs";
        return (
          <li key={href}>
            <Link
              href={href}
              aria-current={here ? "page" : undefined}
              className={`group relative flex items-center text-dim hover:text-ink aria-[current]:text-ink ${shape}`}
            >
              <LinkIcon Icon={Icon} size={layout === "rail" ? 16 : 18} />
              {label}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

/** Turns while its page is on the way: the board has no skeleton, so that its first paint already shows prices. */
function LinkIcon({ Icon, size }: { Icon: LucideIcon; size: number }) {
  const { pending } = useLinkStatus();
  const Shown = pending ? LoaderCircle : Icon;
  return (
    <Shown
      aria-hidden
      size={size}
      strokeWidth={1.75}
      className={pending ? "animate-spin text-accent-ink" : "group-aria-[current]:text-accent-ink"}
    />
  );
}

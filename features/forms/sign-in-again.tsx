"use client";

import { usePathname } from "next/navigation";
import { createContext, type ReactNode, useContext } from "react";
import { buttonClass } from "@/components/ui/button";
import { providerHref, type ProviderLink } from "@/features/session/provider-href";

/** Who vouches for an account without a password; null for one that has its own. */
const Vouchers = createContext<readonly ProviderLink[] | null>(null);

/** Tells everything inside how its owner is asked again who they are. */
export function SignInAgainProvider({
  vouchers,
  children,
}: {
  vouchers: readonly ProviderLink[] | null;
  children: ReactNode;
}) {
  return <Vouchers value={vouchers}>{children}</Vouchers>;
}

export function useVouchers(): readonly ProviderLink[] | null {
  return useContext(Vouchers);
}

/** Stands where others are asked for their password, and leads back to this page. */
export function SignInAgain() {
  const vouchers = useVouchers() ?? [];
  const here = usePathname();
  return (
    <div className="grid gap-2">
      <p className="text-[0.8125rem] text-dim">
        Your account has no password. Sign in again first; for ten minutes you will not be asked.
      </p>
      {vouchers.map(({ id, name }) => (
        <a key={id} href={providerHref(id, here, { for: "confirm" })} className={buttonClass("secondary")}>
          Sign in again with {name}
        </a>
      ))}
    </div>
  );
}

import type { ReactNode } from "react";
import { readTheme } from "@/app/theme";
import { AccountMenu } from "@/components/shell/account-menu";
import { NavBar, NavRail } from "@/components/shell/nav-links";
import { NoticeBell } from "@/components/shell/notice-bell";
import { QueryProvider } from "@/components/shell/query-provider";
import { Wordmark } from "@/components/shell/wordmark";
import { SignInAgainProvider } from "@/features/forms/sign-in-again";
import { currentAccount } from "@/features/session/session";
import { signOut } from "@/features/sign-in/actions";
import { providerNames } from "@/features/sign-in/providers";
import type { Account } from "@/lib/access/accounts/account";
import { formatPlan } from "@/lib/access/plan-text";
import { getRuntime } from "@/lib/runtime";

import "@/components/shell/shell.css";

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const account = await currentAccount();
  // Every page asks for the account itself and knows where to come back to; the frame has nothing to show without one.
  if (account === null) return children;
  const theme = await readTheme();
  const { notices } = await getRuntime();
  const newNotices = await notices.countNew(account.id);
  const menu = {
    email: account.email,
    plan: formatPlan(account.plan),
    operator: account.role === "operator",
    theme,
    signOut,
  };
  return (
    <QueryProvider>
      <div className="shell">
        <header className="shell-rail">
          <div className="flex h-12 items-center justify-between pr-2 pl-4.5">
            <Wordmark />
            <NoticeBell initial={newNotices} />
          </div>
          <nav aria-label="Main" className="mt-1 min-h-0 flex-1 overflow-y-auto py-1">
            <NavRail operator={menu.operator} />
          </nav>
          <div className="pb-2">
            <AccountMenu {...menu} place="rail" />
          </div>
        </header>
        <header className="shell-top">
          <Wordmark />
          <div className="flex items-center">
            <NoticeBell initial={newNotices} />
            <AccountMenu {...menu} place="bar" />
          </div>
        </header>
        <main id="content" tabIndex={-1} className="shell-main">
          <SignInAgainProvider vouchers={await vouchersOf(account)}>{children}</SignInAgainProvider>
        </main>
        <nav aria-label="Main" className="shell-bar">
          <NavBar operator={menu.operator} />
        </nav>
      </div>
    </QueryProvider>
  );
}

/** The providers that say who somebody without a password is; null for an account that has one. */
async function vouchersOf({ id, hasPassword }: Account) {
  if (hasPassword) return null;
  const { config, identities } = await getRuntime();
  const linked = await identities.list(id);
  return providerNames(config.providers).filter((known) => linked.some(({ provider }) => provider === known.id));
}

import type { ReactNode } from "react";
import { PageOwner } from "@/components/shared/page-owner";
import { ZoneProvider } from "@/components/shared/zone-context";
import { Frame } from "@/components/shell/frame";
import { QueryProvider } from "@/components/shell/offline-worker";
import type { PastFacts } from "@/components/shell/past-steps";
import { readPalette, readTheme, readZone } from "@/components/shell/read-look";
import { QuietRetry } from "@/components/shell/try-again";
import { PastAddress } from "@/components/ui/past";
import { AlertBadge, AlertWatch } from "@/features/alerts/alert-watch";
import { ReminderWatch } from "@/features/calendar/reminder-watch";
import { ConfirmationWays } from "@/features/forms/confirmation-ways";
import { definePage, readSoon } from "@/features/session/page-parts";
import { readPasskeySite } from "@/features/session/passkey-site";
import { getSignedInAccount } from "@/features/session/session";
import { getDemoAccount } from "@/features/session/viewer";
import { leaveDemo, signOut } from "@/features/sign-in/actions";
import { readLinkedProviders } from "@/features/sign-in/single-sign-on";
import type { Account } from "@/lib/access/accounts/account";
import { formatPlan, mayRead } from "@/lib/access/plans";
import { getRuntime } from "@/lib/runtime";

/** The frame needs the session alone. What else it shows comes later where the database is late. */
export default definePage(null, async function DashboardLayout({ children }: { children: ReactNode }) {
  const account = await getSignedInAccount();
  if (account === null) return <DemoFrame>{children}</DemoFrame>;
  const runtime = await getRuntime();
  const { notices, passkeys, alerts } = runtime;
  const hasSite = (await readPasskeySite()) !== null;
  const [newNotices, hasAlerts, hasPasskey, providers] = await Promise.all([
    readSoon(runtime, notices.countNew(account.id)),
    readSoon(runtime, alerts.hasAny(account.id)),
    hasSite && readSoon(runtime, passkeys.has(account.id)),
    account.hasPassword ? null : readSoon(runtime, readLinkedProviders(account)),
  ]);
  const isLate = [newNotices, hasAlerts, hasPasskey].includes(null) || (providers === null && !account.hasPassword);
  const menu = {
    email: account.email,
    plan: formatPlan(account.plan),
    audience: account.role,
    theme: await readTheme(),
    palette: await readPalette(),
    leave: signOut,
  };
  return (
    <DashboardProviders>
      <Frame
        menu={menu}
        newNotices={newNotices ?? 0}
        badge={<AlertBadge accountId={account.id} />}
        past={await readPastFacts(account)}
      >
        <ConfirmationWays providers={account.hasPassword ? null : (providers ?? [])} hasPasskey={hasPasskey ?? false}>
          <PageOwner accountId={account.id}>
            <ZoneProvider zone={await readZone()}>{children}</ZoneProvider>
          </PageOwner>
          <Corner>
            <AlertWatch accountId={account.id} hasAlerts={hasAlerts ?? true} />
            <ReminderWatch />
          </Corner>
        </ConfirmationWays>
        {isLate && <QuietRetry />}
      </Frame>
    </DashboardProviders>
  );
});

/** The frame for visitors of the demo. Each page requires a viewer itself, and names the address to come back to. */
async function DemoFrame({ children }: { children: ReactNode }) {
  const demo = await getDemoAccount();
  if (demo === null) return children;
  const look = { theme: await readTheme(), palette: await readPalette() };
  const menu = { email: demo.email, plan: "Read only", audience: "demo", ...look, leave: leaveDemo } as const;
  return (
    <DashboardProviders>
      <Frame menu={menu} newNotices={null} past={await readPastFacts(demo)}>
        <PageOwner accountId={demo.id}>
          <ZoneProvider zone={await readZone()}>{children}</ZoneProvider>
        </PageOwner>
        <Corner>
          <ReminderWatch />
        </Corner>
      </Frame>
    </DashboardProviders>
  );
}

function DashboardProviders({ children }: { children: ReactNode }) {
  return (
    <QueryProvider>
      <PastAddress>{children}</PastAddress>
    </QueryProvider>
  );
}

async function readPastFacts(account: Account): Promise<PastFacts> {
  const { now, marketNow } = await getRuntime();
  return { zone: await readZone(), aheadMs: Math.round(marketNow() - now()), isIncluded: mayRead(account, "ticks") };
}

/** The notices above the page. */
function Corner({ children }: { children: ReactNode }) {
  return (
    <div className="pointer-events-none fixed right-4 bottom-6 z-40 grid w-80 max-w-[calc(100vw-2rem)] gap-2 max-md:bottom-20 print:hidden">
      {children}
    </div>
  );
}

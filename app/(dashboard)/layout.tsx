import type { ReactNode } from "react";
import { ZoneProvider } from "@/components/shared/zone-context";
import { Frame } from "@/components/shell/frame";
import { QueryProvider } from "@/components/shell/offline-worker";
import { readPalette, readTheme, readZone } from "@/components/shell/read-look";
import { AlertBadge, AlertWatch } from "@/features/alerts/alert-watch";
import { ReminderWatch } from "@/features/calendar/reminder-watch";
import { ConfirmationWays } from "@/features/forms/confirmation-ways";
import { DraftOwner } from "@/features/forms/draft-owner";
import { readPasskeySite } from "@/features/session/passkey-site";
import { getSignedInAccount } from "@/features/session/session";
import { getDemoAccount } from "@/features/session/viewer";
import { leaveDemo, signOut } from "@/features/sign-in/actions";
import { readLinkedProviders } from "@/features/sign-in/single-sign-on";
import { formatPlan } from "@/lib/access/plans";
import { getRuntime } from "@/lib/runtime";

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const account = await getSignedInAccount();
  if (account === null) return <DemoFrame>{children}</DemoFrame>;
  const { notices, passkeys, alerts } = await getRuntime();
  const hasPasskey = (await readPasskeySite()) !== null && (await passkeys.has(account.id));
  const menu = {
    email: account.email,
    plan: formatPlan(account.plan),
    audience: account.role,
    theme: await readTheme(),
    palette: await readPalette(),
    leave: signOut,
  };
  return (
    <QueryProvider>
      <Frame menu={menu} newNotices={await notices.countNew(account.id)} badge={<AlertBadge accountId={account.id} />}>
        <ConfirmationWays providers={await readLinkedProviders(account)} hasPasskey={hasPasskey}>
          <DraftOwner accountId={account.id}>
            <ZoneProvider zone={await readZone()}>{children}</ZoneProvider>
          </DraftOwner>
          <Corner>
            <AlertWatch accountId={account.id} hasAlerts={await alerts.hasAny(account.id)} />
            <ReminderWatch />
          </Corner>
        </ConfirmationWays>
      </Frame>
    </QueryProvider>
  );
}

/** The frame for visitors of the demo. Each page requires a viewer itself, and names the address to come back to. */
async function DemoFrame({ children }: { children: ReactNode }) {
  const demo = await getDemoAccount();
  if (demo === null) return children;
  const look = { theme: await readTheme(), palette: await readPalette() };
  const menu = { email: demo.email, plan: "Read only", audience: "demo", ...look, leave: leaveDemo } as const;
  return (
    <QueryProvider>
      <Frame menu={menu} newNotices={null}>
        <ZoneProvider zone={await readZone()}>{children}</ZoneProvider>
        <Corner>
          <ReminderWatch />
        </Corner>
      </Frame>
    </QueryProvider>
  );
}

/** The notices above the page. */
function Corner({ children }: { children: ReactNode }) {
  return (
    <div className="pointer-events-none fixed right-4 bottom-6 z-40 grid w-80 max-w-[calc(100vw-2rem)] gap-2 max-md:bottom-20 print:hidden">
      {children}
    </div>
  );
}

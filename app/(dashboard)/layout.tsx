import type { ReactNode } from "react";
import { ZoneProvider } from "@/components/shared/zone-context";
import { Frame } from "@/components/shell/frame";
import { QueryProvider } from "@/components/shell/query-provider";
import { readPalette, readTheme } from "@/components/shell/read-look";
import { readZone } from "@/components/shell/read-zone";
import { ReminderWatch } from "@/features/calendar/reminders/reminder-watch";
import { ConfirmationWays } from "@/features/forms/confirmation-ways";
import { DraftOwner } from "@/features/forms/use-draft";
import { readPasskeySite } from "@/features/session/passkey-site";
import { getSignedInAccount } from "@/features/session/session";
import { signOut } from "@/features/sign-in/actions";
import { readLinkedProviders } from "@/features/sign-in/single-sign-on";
import { formatPlan } from "@/lib/access/plan-text";
import { getRuntime } from "@/lib/runtime";

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const account = await getSignedInAccount();
  // Each page requires the account itself and names the address to come back to.
  if (account === null) return children;
  const { notices, passkeys } = await getRuntime();
  const hasPasskey = (await readPasskeySite()) !== null && (await passkeys.has(account.id));
  const menu = {
    email: account.email,
    plan: formatPlan(account.plan),
    operator: account.role === "operator",
    theme: await readTheme(),
    palette: await readPalette(),
    signOut,
  };
  return (
    <QueryProvider>
      <Frame menu={menu} newNotices={await notices.countNew(account.id)}>
        <ConfirmationWays providers={await readLinkedProviders(account)} hasPasskey={hasPasskey}>
          <DraftOwner accountId={account.id}>
            <ZoneProvider zone={await readZone()}>{children}</ZoneProvider>
          </DraftOwner>
          <ReminderWatch />
        </ConfirmationWays>
      </Frame>
    </QueryProvider>
  );
}

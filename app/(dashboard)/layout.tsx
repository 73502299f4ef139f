import type { ReactNode } from "react";
import { Frame } from "@/components/shell/frame";
import { QueryProvider } from "@/components/shell/query-provider";
import { readTheme } from "@/components/shell/read-theme";
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
    signOut,
  };
  return (
    <QueryProvider>
      <Frame menu={menu} newNotices={await notices.countNew(account.id)}>
        <ConfirmationWays providers={await readLinkedProviders(account)} hasPasskey={hasPasskey}>
          <DraftOwner accountId={account.id}>{children}</DraftOwner>
        </ConfirmationWays>
      </Frame>
    </QueryProvider>
  );
}

import type { Metadata } from "next";
import Link from "next/link";
import { changePassword, revokeOtherSessions, revokeSession } from "@/app/(dashboard)/account/actions";
import { currentSession, requireAccount } from "@/app/session";
import { PasswordForm } from "@/components/account/password-form";
import { SessionStep } from "@/components/account/session-step";
import { SessionTable } from "@/components/account/session-table";
import { PageHeader } from "@/components/shell/page-header";
import { buttonClass } from "@/components/ui/button";
import { MIN_PASSWORD_LENGTH } from "@/lib/access/passwords";
import { getRuntime } from "@/lib/runtime";
import "@/components/account/account.css";

export const metadata: Metadata = { title: "Sign-in and security" };

/** How the account is signed in to: the browsers that are, and the password. Each part is a form of its own. */
export default async function AccountPage() {
  const account = await requireAccount("/account");
  const ownId = (await currentSession())?.id ?? "";
  const { accountSessions, secondFactors, now } = await getRuntime();
  const sessions = await accountSessions.list(account.id);
  const secondFactor = await secondFactors.state(account.id);
  return (
    <>
      <PageHeader title="Sign-in and security" />
      <section aria-labelledby="sessions-title" className="account-list">
        <h2 id="sessions-title" className="font-medium">
          Where you are signed in
        </h2>
        <p className="max-w-prose text-[0.8125rem] text-dim">
          Sign out what you do not recognise, then change your password. It takes effect at once.
        </p>
        <SessionTable sessions={sessions} ownId={ownId} nowMs={now()} revoke={revokeSession} />
        {sessions.length > 1 && (
          <div className="px-4 py-4">
            <SessionStep action={revokeOtherSessions}>Sign out all others</SessionStep>
          </div>
        )}
      </section>
      <section aria-labelledby="password-title" className="account-part">
        <h2 id="password-title">Password</h2>
        <p>
          Every other browser is signed out when you change it. API keys go on working: they do not know the password.
        </p>
        <PasswordForm action={changePassword} email={account.email} minLength={MIN_PASSWORD_LENGTH} />
      </section>
      <section aria-labelledby="second-factor-title" className="account-part">
        <h2 id="second-factor-title">Second factor</h2>
        <p>
          {secondFactor === null
            ? "Signing in needs your password alone. A code from an app on your phone would be asked for as well."
            : `On: signing in asks for a code from your app. ${secondFactor.recoveryCodesLeft} recovery codes are unused.`}
        </p>
        <div className="flex justify-end">
          <Link href="/account/second-factor" className={`${buttonClass("secondary")} self-start`}>
            {secondFactor === null ? "Set up a second factor" : "Manage the second factor"}
          </Link>
        </div>
      </section>
    </>
  );
}

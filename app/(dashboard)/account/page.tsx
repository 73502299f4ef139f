import type { Metadata } from "next";
import Link from "next/link";
import { PageHeader } from "@/components/shell/page-header";
import { buttonClass } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { changePassword, revokeOtherSessions, revokeSession, unlinkIdentity } from "@/features/account/actions";
import { closeOwnAccount } from "@/features/account/close-action";
import { CloseForm } from "@/features/account/close-form";
import { IdentityList } from "@/features/account/identity-list";
import { PasswordForm } from "@/features/account/password-form";
import { SessionStep } from "@/features/account/session-step";
import { SessionTable } from "@/features/account/session-table";
import { formTicket } from "@/features/forms/form-ticket";
import { currentSession, isConfirmed, requireAccount } from "@/features/session/session";
import { providerNames } from "@/features/sign-in/providers";
import { problemText } from "@/features/sign-in/sign-in-problems";
import { MIN_PASSWORD_LENGTH } from "@/lib/access/sign-in/passwords";
import { getRuntime } from "@/lib/runtime";

import "@/components/ui/records.css";
import "@/features/account/account.css";

export const metadata: Metadata = { title: "Sign-in and security" };

/** How the account is signed in to: the browsers that are, and the password. Each part is a form of its own. */
export default async function AccountPage({ searchParams }: { searchParams: Promise<{ error?: string | string[] }> }) {
  const account = await requireAccount("/account");
  const problem = problemText((await searchParams).error);
  const confirmed = await isConfirmed(account.id);
  const ownId = (await currentSession())?.id ?? "";
  const { accountSessions, config, identities, secondFactors, now } = await getRuntime();
  const providers = providerNames(config.providers);
  const linked = (await identities.list(account.id)).map(({ id, provider, email, createdAtMs }) => {
    return { id, provider: providers.find((known) => known.id === provider)?.name ?? provider, email, createdAtMs };
  });
  const ticket = await formTicket();
  const sessions = await accountSessions.list(account.id);
  const secondFactor = await secondFactors.state(account.id);
  return (
    <>
      <PageHeader title="Sign-in and security" />
      {problem !== null && (
        <div className="mb-4 px-4">
          <Notice tone="error">{problem}</Notice>
        </div>
      )}
      <section aria-labelledby="sessions-title" className="account-list">
        <h2 id="sessions-title" className="font-medium">
          Where you are signed in
        </h2>
        <p className="max-w-prose text-[0.8125rem] text-dim">
          Sign out what you do not recognise, then change your password. It takes effect at once.
        </p>
        <SessionTable sessions={sessions} ownId={ownId} nowMs={now()} revoke={revokeSession.bind(null, ticket)} />
        {sessions.length > 1 && (
          <div className="px-4 py-4">
            <SessionStep action={revokeOtherSessions.bind(null, ticket)}>Sign out all others</SessionStep>
          </div>
        )}
      </section>
      <section aria-labelledby="password-title" className="page-part">
        <h2 id="password-title">Password</h2>
        <p>
          {!account.hasPassword && "This account has none yet. With one you can sign in without anybody else. "}
          Every other browser is signed out when you change it. API keys go on working: they do not know the password.
        </p>
        <PasswordForm
          action={changePassword.bind(null, ticket)}
          email={account.email}
          hasPassword={account.hasPassword}
          confirmed={confirmed}
          minLength={MIN_PASSWORD_LENGTH}
        />
      </section>
      <section aria-labelledby="second-factor-title" className="page-part">
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
      {(providers.length > 0 || linked.length > 0) && (
        <section aria-labelledby="identities-title" className="page-part">
          <h2 id="identities-title">Signing in with others</h2>
          <p>
            {linked.length > 0
              ? "Whoever they say is you is let in, and asked for your second factor where you have one."
              : `Sign out and choose “Continue with ${providers[0]?.name}”: your password, given once, links the two.`}
          </p>
          <IdentityList identities={linked} unlink={unlinkIdentity.bind(null, ticket)} confirmed={confirmed} />
        </section>
      )}
      <section aria-labelledby="close-title" className="page-part">
        <h2 id="close-title">Close your account</h2>
        <p>
          Deletes the account with its keys, usage, sessions and everything else of it. Your keys stop working at once.
          The audit log keeps what was done, under an id that leads to nobody. This cannot be undone.
        </p>
        <CloseForm
          id={account.id}
          email={account.email}
          action={closeOwnAccount.bind(null, ticket)}
          confirmed={!account.hasPassword && confirmed}
        />
      </section>
    </>
  );
}

import type { Metadata } from "next";
import { PageHeader } from "@/components/shell/page-header";
import { Notice } from "@/components/ui/notice";
import { PagePart, PageParts } from "@/components/ui/page-part";
import { changePassword, closeOwnAccount, unlinkIdentity } from "@/features/account/actions";
import { CloseForm, IdentityList } from "@/features/account/close-form";
import { PasskeysPart } from "@/features/account/passkeys-part";
import { PasswordForm } from "@/features/account/password-form";
import { SecondFactorPart } from "@/features/account/second-factor-part";
import { SessionsPart } from "@/features/account/sessions-part";
import { issueFormTicket } from "@/features/forms/define-action";
import { definePage } from "@/features/session/page-parts";
import { getCurrentSession, isConfirmed, requireAccount } from "@/features/session/session";
import { listProviders } from "@/features/sign-in/providers";
import { findSignInProblem } from "@/features/sign-in/single-sign-on";
import { MIN_PASSWORD_LENGTH } from "@/lib/access/sign-in/passwords";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Sign-in and security" };

/** The account's sessions, password, passkeys, second factor and linked accounts. Each part has its own form. */
export default definePage(
  "Sign-in and security",
  async function AccountPage({ searchParams }: { searchParams: Promise<{ error?: string | string[] }> }) {
    const account = await requireAccount("/account");
    const problem = findSignInProblem((await searchParams).error);
    const confirmed = await isConfirmed(account.id);
    const ownId = (await getCurrentSession())?.id ?? "";
    const { accountSessions, config, identities, secondFactors, now } = await getRuntime();
    const providers = listProviders(config.providers);
    const linked = (await identities.list(account.id)).map(({ id, provider, email, createdAtMs }) => {
      return { id, provider: providers.find((each) => each.id === provider)?.name ?? provider, email, createdAtMs };
    });
    const ticket = await issueFormTicket();
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
        <SessionsPart sessions={sessions} ownId={ownId} nowMs={now()} ticket={ticket} />
        <PageParts>
          <PagePart
            titleId="password-title"
            title="Password"
            text={`${account.hasPassword ? "" : "This account has no password yet. With a password you can sign in without an identity provider. "}Changing it signs out all other browsers. API keys keep working: they do not depend on the password.`}
          >
            <PasswordForm
              action={changePassword.bind(null, ticket)}
              email={account.email}
              hasPassword={account.hasPassword}
              confirmed={confirmed}
              minLength={MIN_PASSWORD_LENGTH}
            />
          </PagePart>
          <PasskeysPart accountId={account.id} ticket={ticket} />
          <SecondFactorPart recoveryCodesLeft={secondFactor?.recoveryCodesLeft ?? null} />
          {(providers.length > 0 || linked.length > 0) && (
            <PagePart
              titleId="identities-title"
              title="Linked accounts"
              text={
                linked.length > 0
                  ? "You can sign in with these accounts. A second factor is still required if you have one."
                  : `Sign out and choose “Continue with ${providers[0]?.name}”. Enter your password once to link the two.`
              }
            >
              <IdentityList identities={linked} unlink={unlinkIdentity.bind(null, ticket)} confirmed={confirmed} />
            </PagePart>
          )}
          <PagePart
            titleId="close-title"
            title="Close your account"
            text="Deletes the account with its keys, usage, sessions and all other data. Your keys stop working immediately. The audit log keeps its events under an anonymous id. This cannot be undone."
          >
            <CloseForm
              id={account.id}
              email={account.email}
              action={closeOwnAccount.bind(null, ticket)}
              confirmed={!account.hasPassword && confirmed}
            />
          </PagePart>
        </PageParts>
      </>
    );
  },
);

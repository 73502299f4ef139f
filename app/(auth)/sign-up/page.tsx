import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Notice } from "@/components/ui/notice";
import { definePage } from "@/features/session/page-parts";
import { getSignedInAccount } from "@/features/session/session";
import { signUp } from "@/features/sign-in/actions";
import { AuthForm } from "@/features/sign-in/auth-form";
import { HOME_PATH, toSafeNextPath } from "@/features/sign-in/next-path";
import { EntryLink, ProviderLinks } from "@/features/sign-in/provider-links";
import { listProviders } from "@/features/sign-in/providers";
import type { SignUpMode } from "@/lib/access/accounts/registration";
import { formatPlan } from "@/lib/access/plans";
import { MIN_PASSWORD_LENGTH } from "@/lib/access/sign-in/passwords";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Create an account" };

interface SignUpPageProps {
  searchParams: Promise<{ next?: string | string[]; invitation?: string | string[] }>;
}

export default definePage("Create an account", async function SignUpPage({ searchParams }: SignUpPageProps) {
  const params = await searchParams;
  const next = toSafeNextPath(params.next);
  if ((await getSignedInAccount()) !== null) redirect(next);
  const { accounts, invitations, config } = await getRuntime();
  if ((await accounts.count()) === 0) redirect("/setup");
  const token = typeof params.invitation === "string" ? params.invitation : null;
  const invitation = token === null || config.signUp === "closed" ? null : await invitations.find(token);
  if (invitation === null && (config.signUp !== "open" || token !== null)) {
    return <NotInvited mode={config.signUp} hasLink={token !== null} />;
  }
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-[-0.02em]">Create an account</h1>
      {invitation !== null && (
        <div className="mt-4">
          <Notice tone="note">
            You are invited{invitation.email !== null && ` as ${invitation.email}`}, on the{" "}
            {formatPlan(invitation.plan)} plan.
          </Notice>
        </div>
      )}
      <AuthForm
        action={signUp}
        next={next}
        submit="Create account"
        newPasswordLength={MIN_PASSWORD_LENGTH}
        email={invitation?.email ?? ""}
      >
        {invitation !== null && <input type="hidden" name="invitation" value={token ?? ""} />}
      </AuthForm>
      <ProviderLinks
        providers={listProviders(config.providers)}
        next={next}
        purpose={token === null ? {} : { invitation: token }}
      />
      <EntryLink question="Have an account?" path="/sign-in" next={next}>
        Sign in
      </EntryLink>
    </>
  );
});

/** Shown if sign-up is not open or the invitation is invalid. */
function NotInvited({ mode, hasLink }: { mode: SignUpMode; hasLink: boolean }) {
  const isUsable = mode !== "closed";
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-[-0.02em]">
        {hasLink && isUsable ? "This invitation is no longer valid" : "Sign-up is not open"}
      </h1>
      <p className="mt-4 text-dim">
        {hasLink && isUsable
          ? "It was used or revoked, or has expired. Ask the operator of this installation for a new one."
          : isUsable
            ? "You need an invitation to create an account. Ask the operator of this installation for one."
            : "Only the operator of this installation can create accounts."}
      </p>
      <EntryLink question="Have an account?" path="/sign-in" next={HOME_PATH}>
        Sign in
      </EntryLink>
    </>
  );
}

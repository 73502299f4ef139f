import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { EndDrafts } from "@/features/forms/use-draft";
import { definePage } from "@/features/session/page-parts";
import { readPasskeySite } from "@/features/session/passkey-site";
import { getSignedInAccount } from "@/features/session/session";
import { getDemoAccount } from "@/features/session/viewer";
import { signIn, signInWithPasskey } from "@/features/sign-in/actions";
import { AuthForm } from "@/features/sign-in/auth-form";
import { toSafeNextPath } from "@/features/sign-in/next-path";
import { PasskeyForm } from "@/features/sign-in/passkey-form";
import { EntryLink, ProviderLinks } from "@/features/sign-in/provider-links";
import { listProviders } from "@/features/sign-in/providers";
import { findSignInProblem } from "@/features/sign-in/single-sign-on";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Sign in" };

export default definePage(
  "Sign in",
  async function SignInPage({
    searchParams,
  }: {
    searchParams: Promise<Record<string, string | string[] | undefined>>;
  }) {
    const { next: nextParam, error, done } = await searchParams;
    const next = toSafeNextPath(nextParam);
    const problem = findSignInProblem(error);
    if ((await getSignedInAccount()) !== null) redirect(next);
    const { accounts, config } = await getRuntime();
    const canSignUp = config.signUp === "open" || (await accounts.count()) === 0;
    const hasSite = (await readPasskeySite()) !== null;
    return (
      <>
        <h1 className="text-2xl font-semibold tracking-[-0.02em]">Sign in</h1>
        {problem !== null && (
          <div className="mt-4">
            <Notice tone="error">{problem}</Notice>
          </div>
        )}
        {(await getDemoAccount()) !== null && (
          <div className="mt-4">
            <Notice tone="note">The demo shows the markets only. Sign in for everything else.</Notice>
          </div>
        )}
        {done === "reset" && (
          <div className="mt-4">
            <Notice tone="note">The new password is set. Sign in with it.</Notice>
          </div>
        )}
        <AuthForm action={signIn} next={next} submit="Sign in" />
        {/* After the form, which takes its own draft first. */}
        <EndDrafts areSaved={nextParam !== undefined} />
        {config.mail !== null && (
          <p className="mt-4">
            <Link href="/sign-in/forgot" className="text-dim underline underline-offset-4 hover:text-ink">
              Forgot your password?
            </Link>
          </p>
        )}
        <ProviderLinks providers={listProviders(config.providers)} next={next}>
          {hasSite && <PasskeyForm action={signInWithPasskey} next={next} autofill />}
        </ProviderLinks>
        {canSignUp && (
          <EntryLink question="No account yet?" path="/sign-up" next={next}>
            Create one
          </EntryLink>
        )}
      </>
    );
  },
);

import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { signIn } from "@/app/(auth)/actions";
import { currentAccount } from "@/app/session";
import { providerNames } from "@/app/single-sign-on/providers";
import { AuthForm } from "@/components/auth/auth-form";
import { safeNextPath } from "@/components/auth/next-path";
import { OtherDoor } from "@/components/auth/other-door";
import { ProviderLinks } from "@/components/auth/provider-links";
import { problemText } from "@/components/auth/sign-in-problems";
import { Notice } from "@/components/ui/notice";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { next: asked, error } = await searchParams;
  const next = safeNextPath(asked);
  const problem = problemText(error);
  if ((await currentAccount()) !== null) redirect(next);
  const { accounts, config } = await getRuntime();
  const canSignUp = config.signUp === "open" || (await accounts.count()) === 0;
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-[-0.02em]">Sign in</h1>
      {problem !== null && (
        <div className="mt-4">
          <Notice tone="error">{problem}</Notice>
        </div>
      )}
      <AuthForm action={signIn} next={next} submit="Sign in" />
      <ProviderLinks providers={providerNames(config.providers)} next={next} />
      {canSignUp && (
        <OtherDoor question="No account yet?" path="/sign-up" next={next}>
          Create one
        </OtherDoor>
      )}
    </>
  );
}

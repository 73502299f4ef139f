import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { signUp } from "@/app/(auth)/actions";
import { currentAccount } from "@/app/session";
import { AuthForm } from "@/components/auth/auth-form";
import { HOME_PATH, safeNextPath } from "@/components/auth/next-path";
import { Notice } from "@/components/ui/notice";
import { MIN_PASSWORD_LENGTH } from "@/lib/access/passwords";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Create an account" };

export default async function SignUpPage({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const next = safeNextPath((await searchParams).next);
  if ((await currentAccount()) !== null) redirect(next);
  const first = (await (await getRuntime()).accounts.count()) === 0;
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-[-0.02em]">
        {first ? "Set up this installation" : "Create an account"}
      </h1>
      {first && (
        <div className="mt-4">
          <Notice tone="note">
            You are setting up this installation. The first account is the operator&rsquo;s: it manages plans and every
            other account.
          </Notice>
        </div>
      )}
      <AuthForm
        action={signUp}
        next={next}
        submit={first ? "Create the operator account" : "Create account"}
        newPasswordLength={MIN_PASSWORD_LENGTH}
      />
      {!first && (
        <p className="mt-6 text-dim">
          Have an account?{" "}
          <Link
            href={next === HOME_PATH ? "/sign-in" : `/sign-in?next=${encodeURIComponent(next)}`}
            className="text-accent-ink underline underline-offset-4"
          >
            Sign in
          </Link>
        </p>
      )}
    </>
  );
}

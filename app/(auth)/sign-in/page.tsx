import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { signIn } from "@/app/(auth)/actions";
import { currentAccount } from "@/app/session";
import { AuthForm } from "@/components/auth/auth-form";
import { HOME_PATH, safeNextPath } from "@/components/auth/next-path";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const next = safeNextPath((await searchParams).next);
  if ((await currentAccount()) !== null) redirect(next);
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-[-0.02em]">Sign in</h1>
      <AuthForm action={signIn} next={next} submit="Sign in" />
      <p className="mt-6 text-dim">
        No account yet?{" "}
        <Link
          href={next === HOME_PATH ? "/sign-up" : `/sign-up?next=${encodeURIComponent(next)}`}
          className="text-accent-ink underline underline-offset-4"
        >
          Create one
        </Link>
      </p>
    </>
  );
}

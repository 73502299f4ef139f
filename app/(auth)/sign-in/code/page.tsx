import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Link } from "@/components/ui/link";
import { signInWithCode } from "@/features/sign-in/actions";
import { CodeForm } from "@/features/sign-in/code-form";
import { readProvedCaller } from "@/features/sign-in/second-step";

export const metadata: Metadata = { title: "Second step" };

const LINK_CLASS = "text-accent-ink underline underline-offset-4";

/** The form for a code of the second factor, after the right password. */
export default async function SecondStepPage({
  searchParams,
}: {
  searchParams: Promise<{ with?: string | string[] }>;
}) {
  if ((await readProvedCaller()) === null) redirect("/sign-in");
  const recovery = (await searchParams).with === "recovery";
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-[-0.02em]">One more step</h1>
      <p className="mt-2 text-dim">
        {recovery
          ? "Enter one of the recovery codes that you stored. Each works once."
          : "Enter the six digits that your authenticator app shows for Spotline."}
      </p>
      <CodeForm key={String(recovery)} action={signInWithCode} recovery={recovery} />
      <p className="mt-6 flex flex-wrap justify-between gap-x-6 gap-y-2 text-dim">
        {recovery ? (
          <Link href="/sign-in/code" className={LINK_CLASS}>
            Use the app
          </Link>
        ) : (
          <Link href="/sign-in/code?with=recovery" className={LINK_CLASS}>
            Use a recovery code
          </Link>
        )}
        <Link href="/sign-in" className={LINK_CLASS}>
          Start again
        </Link>
      </p>
    </>
  );
}

import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { definePage } from "@/features/session/page-parts";
import { readPasskeySite } from "@/features/session/passkey-site";
import { signInWithCode, signInWithPasskey } from "@/features/sign-in/actions";
import { CodeForm } from "@/features/sign-in/code-form";
import { PasskeyForm } from "@/features/sign-in/passkey-form";
import { readProvedCaller, readSecondFactors } from "@/features/sign-in/second-step";

export const metadata: Metadata = { title: "Second step" };

const LINK_CLASS = "text-accent-ink underline underline-offset-4";

/** The second step after the right password: a code of the app, a recovery code or a passkey. */
export default definePage(
  "Second step",
  async function SecondStepPage({ searchParams }: { searchParams: Promise<{ with?: string | string[] }> }) {
    const proved = await readProvedCaller();
    if (proved === null) redirect("/sign-in");
    const { hasApp, hasPasskey } = await readSecondFactors(proved.accountId);
    const hasSite = (await readPasskeySite()) !== null;
    const recovery = (await searchParams).with === "recovery";
    return (
      <>
        <h1 className="text-2xl font-semibold tracking-[-0.02em]">One more step</h1>
        <p className="mt-2 text-dim">
          {!hasApp
            ? "This installation requires a second factor. Use your passkey."
            : recovery
              ? "Enter one of the recovery codes that you stored. Each works once."
              : "Enter the six digits that your authenticator app shows for Spotline."}
        </p>
        {hasApp && <CodeForm key={String(recovery)} action={signInWithCode} recovery={recovery} />}
        {hasPasskey && (
          <div className="mt-6">
            {hasSite ? (
              <PasskeyForm action={signInWithPasskey} next={proved.next} autofill={false} />
            ) : (
              <Notice tone="note">Browsers allow no passkeys at this address. Open the site at its own address.</Notice>
            )}
          </div>
        )}
        <p className="mt-6 flex flex-wrap justify-between gap-x-6 gap-y-2 text-dim">
          {!hasApp ? null : recovery ? (
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
  },
);

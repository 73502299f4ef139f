import type { Metadata } from "next";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { definePage } from "@/features/session/page-parts";
import { ResetForm } from "@/features/sign-in/reset-form";
import { RESET_MINUTES } from "@/lib/access/accounts/password-reset";
import { MIN_PASSWORD_LENGTH } from "@/lib/access/sign-in/passwords";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Set a new password" };

/** Sets a new password, by the link of a mail. */
export default definePage(
  "Set a new password",
  async function ResetPage({ searchParams }: { searchParams: Promise<{ token?: string | string[] }> }) {
    const { token } = await searchParams;
    const { passwordReset } = await getRuntime();
    const account = typeof token === "string" ? await passwordReset.find(token) : null;
    return (
      <>
        <h1 className="text-2xl font-semibold tracking-[-0.02em]">Set a new password</h1>
        {account === null ? (
          <>
            <div className="mt-4">
              <Notice tone="error">
                This link is not valid any more. It works once, for {RESET_MINUTES} minutes after it was requested.
              </Notice>
            </div>
            <p className="mt-6 text-dim">
              <Link href="/sign-in/forgot" className="text-accent-ink underline underline-offset-4">
                Request another link
              </Link>
            </p>
          </>
        ) : (
          <ResetForm token={token as string} email={account.email} minLength={MIN_PASSWORD_LENGTH} />
        )}
      </>
    );
  },
);

import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { definePage } from "@/features/session/page-parts";
import { ForgotForm } from "@/features/sign-in/forgot-form";
import { HOME_PATH } from "@/features/sign-in/next-path";
import { EntryLink } from "@/features/sign-in/provider-links";
import { RESET_MINUTES } from "@/lib/access/accounts/password-reset";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Reset your password" };

/** Mails a link for a new password. Without a mail server there is no such page. */
export default definePage("Reset your password", async function ForgotPage() {
  const { config } = await getRuntime();
  if (config.mail === null) notFound();
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-[-0.02em]">Reset your password</h1>
      <ForgotForm minutes={RESET_MINUTES} />
      <EntryLink question="Do you remember it?" path="/sign-in" next={HOME_PATH}>
        Sign in
      </EntryLink>
    </>
  );
});

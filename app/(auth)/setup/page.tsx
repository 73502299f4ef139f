import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Notice } from "@/components/ui/notice";
import { definePage } from "@/features/session/page-parts";
import { signUp } from "@/features/sign-in/actions";
import { AuthForm } from "@/features/sign-in/auth-form";
import { HOME_PATH } from "@/features/sign-in/next-path";
import { ProviderLinks } from "@/features/sign-in/provider-links";
import { listProviders } from "@/features/sign-in/providers";
import { isSetupCode } from "@/lib/access/accounts/registration";
import { MIN_PASSWORD_LENGTH } from "@/lib/access/sign-in/passwords";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Set up this installation" };

/** Creates the first account. The link to this page is in the server's log, so only who can read that gets the account. */
export default definePage(
  "Set up this installation",
  async function SetupPage({ searchParams }: { searchParams: Promise<{ code?: string | string[] }> }) {
    const { code } = await searchParams;
    const { accounts, config, setupCode } = await getRuntime();
    if ((await accounts.count()) > 0) redirect("/sign-in");
    const isRight = typeof code === "string" && isSetupCode(code, setupCode);
    return (
      <>
        <h1 className="text-2xl font-semibold tracking-[-0.02em]">Set up this installation</h1>
        <div className="mt-4">
          <Notice tone="note">
            {isRight
              ? "You are setting up this installation. The first account belongs to the operator, who manages all plans and accounts."
              : "There is no account yet. To create the first, open the setup link that the server wrote to its log at its start."}
          </Notice>
        </div>
        {isRight && (
          <>
            <AuthForm
              action={signUp}
              next={HOME_PATH}
              submit="Create the operator account"
              newPasswordLength={MIN_PASSWORD_LENGTH}
            >
              <input type="hidden" name="setup" value={code} />
            </AuthForm>
            <ProviderLinks providers={listProviders(config.providers)} next={HOME_PATH} purpose={{ setup: code }} />
          </>
        )}
      </>
    );
  },
);

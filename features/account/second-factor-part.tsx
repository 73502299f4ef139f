import { getButtonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { PagePart } from "@/components/ui/page-part";

/** Says whether the account has a second factor, and links to its page. `recoveryCodesLeft` is null without one. */
export function SecondFactorPart({ recoveryCodesLeft }: { recoveryCodesLeft: number | null }) {
  return (
    <PagePart
      titleId="second-factor-title"
      title="Second factor"
      text={
        recoveryCodesLeft === null
          ? "A second factor adds a code from an app on your phone to your password. Signing in with a passkey needs none."
          : `On: you sign in with your password and a code from your app. ${recoveryCodesLeft} recovery codes are unused.`
      }
    >
      <div className="flex justify-end">
        <Link href="/account/second-factor" className={`${getButtonClass("secondary")} self-start`}>
          {recoveryCodesLeft === null ? "Set up a second factor" : "Manage the second factor"}
        </Link>
      </div>
    </PagePart>
  );
}

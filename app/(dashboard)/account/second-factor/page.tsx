import type { Metadata } from "next";
import { PageHeader } from "@/components/shell/page-header";
import { getButtonClass } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Figure } from "@/components/ui/figure";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { PagePart, PageParts } from "@/components/ui/page-part";
import { changeSecondFactor } from "@/features/account/actions";
import { PasskeysPart } from "@/features/account/passkeys-part";
import { SecondFactorPanel } from "@/features/account/second-factor-panel";
import { QrCode } from "@/features/account/second-factor-part";
import { issueFormTicket } from "@/features/forms/define-action";
import { definePage } from "@/features/session/page-parts";
import { isConfirmed, isSecondFactorRequired, requireAccount } from "@/features/session/session";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Second factor" };

export default definePage("Second factor", async function SecondFactorPage() {
  const account = await requireAccount("/account/second-factor");
  const { passkeys, secondFactors } = await getRuntime();
  const hasPasskey = await passkeys.has(account.id);
  const ticket = await issueFormTicket();
  const state = await secondFactors.state(account.id);
  const isRequired = await isSecondFactorRequired(account);
  const enrolment = state === null ? await secondFactors.enrolment(account.id, account.email) : null;
  const stage = state !== null ? "on" : enrolment !== null ? "enrolling" : "off";
  return (
    <>
      <PageHeader title="Second factor">
        <Link href="/account" className={getButtonClass("secondary", "sm")}>
          Sign-in and security
        </Link>
      </PageHeader>
      <PageParts>
        <PagePart titleId="second-factor-title" title="Authenticator app">
          <div className="grid content-start gap-3 text-xs13 text-dim">
            {state !== null && (
              <p>
                {isRequired && !hasPasskey && "This installation requires it. "}On since{" "}
                {new Date(state.sinceMs).toISOString().slice(0, 10)}. You sign in with your password and a code.{" "}
                {state.recoveryCodesLeft} of your recovery codes {state.recoveryCodesLeft === 1 ? "is" : "are"} unused.
              </p>
            )}
            {state === null && (
              <p>
                With a second factor, you sign in with your password and six digits from an app on your phone, such as
                Aegis, 1Password or Google Authenticator. Your password alone is not enough to sign in. API keys keep
                working.
              </p>
            )}
            {state === null && isRequired && hasPasskey && <p>Your passkey is the second factor that is required.</p>}
            {state === null && isRequired && !hasPasskey && (
              <Notice tone="note">
                This installation requires a second factor. Set it up, or add a passkey, to use the dashboard.
              </Notice>
            )}
            {stage === "enrolling" && <p>Scan the QR code with the app, then enter the code that it shows.</p>}
            {state !== null && !state.isReadable && (
              <Notice tone="error">
                This installation&rsquo;s secret was changed, so your app&rsquo;s codes can no longer be checked. Turn
                the second factor off with a recovery code, then set it up again.
              </Notice>
            )}
          </div>
          <SecondFactorPanel
            action={changeSecondFactor.bind(null, ticket)}
            stage={stage}
            isRequired={isRequired && !hasPasskey}
            confirmed={await isConfirmed(account.id)}
            secret={
              enrolment !== null && (
                <div className="grid gap-4">
                  <QrCode text={enrolment.uri} label="QR code of the secret, for an authenticator app" />
                  <div>
                    <div className="mb-1.5 flex items-center justify-between">
                      <h3 className="text-xs13 text-dim">Or type this secret</h3>
                      <CopyButton text={enrolment.secret} label="Secret" selectId="totp-secret" />
                    </div>
                    <Figure as="p" id="totp-secret" className="text-xs13 select-all">
                      {enrolment.secret.replace(/(.{4})(?=.)/g, "$1 ")}
                    </Figure>
                  </div>
                </div>
              )
            }
          />
        </PagePart>
        {state === null && isRequired && <PasskeysPart accountId={account.id} ticket={ticket} />}
      </PageParts>
    </>
  );
});

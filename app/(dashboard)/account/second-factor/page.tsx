import type { Metadata } from "next";
import Link from "next/link";
import { PageHeader } from "@/components/shell/page-header";
import { buttonClass } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Notice } from "@/components/ui/notice";
import { QrPicture } from "@/features/account/qr-picture";
import { changeSecondFactor } from "@/features/account/second-factor-actions";
import { SecondFactorPanel } from "@/features/account/second-factor-panel";
import { formTicket } from "@/features/forms/form-ticket";
import { isConfirmed, requireAccount } from "@/features/session/session";
import { getRuntime } from "@/lib/runtime";

import "@/components/ui/records.css";
import "@/features/account/account.css";

export const metadata: Metadata = { title: "Second factor" };

export default async function SecondFactorPage() {
  const account = await requireAccount("/account/second-factor");
  const { secondFactors } = await getRuntime();
  const state = await secondFactors.state(account.id);
  const enrolment = state === null ? await secondFactors.enrolment(account.id, account.email) : null;
  const stage = state !== null ? "on" : enrolment !== null ? "enrolling" : "off";
  return (
    <>
      <PageHeader title="Second factor">
        <Link href="/account" className={buttonClass("secondary", "sm")}>
          Sign-in and security
        </Link>
      </PageHeader>
      <section aria-labelledby="second-factor-title" className="page-part">
        <h2 id="second-factor-title">Authenticator app</h2>
        <div className="grid content-start gap-3 text-[0.8125rem] text-dim">
          {state !== null && (
            <p>
              On since {new Date(state.sinceMs).toISOString().slice(0, 10)}. Signing in asks for a code after the
              password; {state.recoveryCodesLeft} of your recovery codes {state.recoveryCodesLeft === 1 ? "is" : "are"}{" "}
              unused.
            </p>
          )}
          {state === null && (
            <p>
              After your password, signing in asks for six digits from an app on your phone, such as Aegis, 1Password or
              Google Authenticator. Whoever learns your password still cannot sign in. API keys go on working.
            </p>
          )}
          {stage === "enrolling" && <p>Scan the picture with the app, then enter the code it shows.</p>}
          {state !== null && !state.isReadable && (
            <Notice tone="error">
              This installation&rsquo;s secret was changed, so that your app&rsquo;s codes cannot be checked any more.
              Turn the second factor off with a recovery code, then set it up again.
            </Notice>
          )}
        </div>
        <SecondFactorPanel
          action={changeSecondFactor.bind(null, await formTicket())}
          stage={stage}
          confirmed={await isConfirmed(account.id)}
          secret={
            enrolment !== null && (
              <div className="grid gap-4">
                <QrPicture text={enrolment.uri} label="QR code of the secret, for an authenticator app" />
                <div>
                  <div className="mb-1.5 flex items-center justify-between">
                    <h3 className="text-[0.8125rem] text-dim">Or type this secret</h3>
                    <CopyButton text={enrolment.secret} label="Secret" selectId="totp-secret" />
                  </div>
                  <p id="totp-secret" className="numerals text-[0.8125rem] select-all">
                    {enrolment.secret.replace(/(.{4})(?=.)/g, "$1 ")}
                  </p>
                </div>
              </div>
            )
          }
        />
      </section>
    </>
  );
}

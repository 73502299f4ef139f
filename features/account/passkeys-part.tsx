import { headers } from "next/headers";
import { PagePart } from "@/components/ui/page-part";
import { addPasskey, removePasskey, renamePasskey } from "@/features/account/actions";
import { AddPasskeyForm, PasskeyList } from "@/features/account/passkey-list";
import { readPasskeySite } from "@/features/session/passkey-site";
import { isConfirmed } from "@/features/session/session";
import { describeBrowser } from "@/lib/access/sign-in/account-sessions";
import { getRuntime } from "@/lib/runtime";

/** The account's passkeys, and the form that adds one. */
export async function PasskeysPart({ accountId, ticket }: { accountId: string; ticket: string }) {
  const { passkeys, now } = await getRuntime();
  const list = await passkeys.list(accountId);
  const confirmed = await isConfirmed(accountId);
  const hasSite = (await readPasskeySite()) !== null;
  return (
    <PagePart
      titleId="passkeys-title"
      title="Passkeys"
      text={
        "Sign in with the fingerprint, face or PIN of your device, or with a security key. A passkey replaces the password " +
        "and the code of an authenticator app, and works only at this site, so nobody can trick you into giving it away."
      }
    >
      <div className="grid gap-5">
        {list.length > 0 && (
          <PasskeyList
            passkeys={list}
            rename={renamePasskey.bind(null, ticket)}
            remove={removePasskey.bind(null, ticket)}
            confirmed={confirmed}
            nowMs={now()}
          />
        )}
        {hasSite ? (
          <AddPasskeyForm
            action={addPasskey.bind(null, ticket)}
            confirmed={confirmed}
            suggestedName={describeBrowser((await headers()).get("user-agent"))}
          />
        ) : (
          <p className="text-xs13 text-dim">
            Browsers allow no passkeys at this address. They need HTTPS and a host name, which the operator sets with
            SPOTLINE_URL.
          </p>
        )}
      </div>
    </PagePart>
  );
}

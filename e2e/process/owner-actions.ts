import { Secret, TOTP } from "otpauth";
import { type Action, at, disable, keyPage, password, revoke, says, type Scene } from "@/e2e/process/action-scene";
import { PASSWORD } from "@/e2e/process/form-people";
import { createNotices } from "@/lib/access/notices/notices";
import { systemClock } from "@/lib/platform/clock";

/** Every server action with which people change what is theirs, and how to come to its form. */

const NEW_PASSWORD = "another horse battery";

async function signInElsewhere({ people, target }: Scene): Promise<void> {
  await people.signIn(target.email);
}

const SECOND_FACTOR_PAGE = "/account/second-factor";

async function beginSecondFactor({ target, found }: Scene): Promise<void> {
  await target.browser.submit(SECOND_FACTOR_PAGE, /Set up/, password());
  const [, secret = ""] = /id="totp-secret"[^>]*>([^<]*)</.exec(await target.browser.page(SECOND_FACTOR_PAGE)) ?? [];
  const app = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(" ", "")) });
  found.code = app.generate();
  // A code works once; the next one is taken a little early.
  found.nextCode = app.generate({ timestamp: Date.now() + 30_000 });
}

async function turnSecondFactorOn(scene: Scene): Promise<void> {
  await beginSecondFactor(scene);
  await scene.target.browser.submit(SECOND_FACTOR_PAGE, /Turn on/, { code: scene.found.code ?? "" });
}

/** Asked by those rows that need a password and a code. */
const passwordAndCode = ({ found }: Scene) => ({ password: PASSWORD, code: found.nextCode ?? "" });

export const ownerActions: readonly Action[] = [
  {
    action: "createKey",
    by: "owner",
    path: at("/keys/new"),
    words: says(/Create key/),
    values: () => ({ label: "New" }),
    event: "key.create",
  },
  {
    action: "editKey",
    by: "owner",
    path: keyPage,
    words: says(/Save changes/),
    values: () => ({ label: "Edited" }),
    event: "key.update",
  },
  { action: "disableKey", by: "owner", path: keyPage, words: says(/Disable key/), event: "key.disable" },
  { action: "enableKey", by: "owner", arrange: disable, path: keyPage, words: says(/Enable key/), event: "key.enable" },
  {
    action: "rotateKey",
    by: "owner",
    path: keyPage,
    words: says(/Rotate key/),
    values: () => ({ grace: "1h", ...password() }),
    event: "key.rotate",
  },
  { action: "revokeKey", by: "owner", path: keyPage, words: says(/Revoke key/), values: password, event: "key.revoke" },
  { action: "restoreKey", by: "owner", arrange: revoke, path: keyPage, words: says(/Undo/), event: "key.restore" },
  {
    action: "revokeSession",
    by: "owner",
    arrange: signInElsewhere,
    path: at("/account"),
    words: says(/Sign out .*seen from/),
    event: "session.revoke",
  },
  {
    action: "revokeOtherSessions",
    by: "owner",
    arrange: signInElsewhere,
    path: at("/account"),
    words: says(/Sign out all others/),
    event: "session.revoke_others",
  },
  {
    action: "changePassword",
    by: "owner",
    path: at("/account"),
    words: says(/Change password/),
    values: () => ({ old: PASSWORD, password: NEW_PASSWORD }),
    event: "account.set_password",
  },
  {
    action: "unlinkIdentity",
    by: "owner",
    async arrange({ people, target }) {
      const issuer = "https://accounts.example.com";
      const identity = { provider: "oidc", issuer, subject: target.id, email: target.email, createdAt: new Date() };
      await people.database.prisma.identity.create({ data: { ...identity, accountId: target.id } });
    },
    path: at("/account"),
    words: says(/Unlink/),
    values: password,
    event: "account.unlink_identity",
  },
  {
    action: "changeSecondFactor",
    name: "begin a second factor",
    by: "owner",
    path: at(SECOND_FACTOR_PAGE),
    words: says(/Set up/),
    values: password,
    event: null,
  },
  {
    action: "changeSecondFactor",
    name: "turn a second factor on",
    by: "owner",
    arrange: beginSecondFactor,
    path: at(SECOND_FACTOR_PAGE),
    words: says(/Turn on/),
    values: ({ found }) => ({ code: found.code ?? "" }),
    event: "account.enable_second_factor",
  },
  {
    action: "changeSecondFactor",
    name: "replace the recovery codes",
    by: "owner",
    arrange: turnSecondFactorOn,
    path: at(SECOND_FACTOR_PAGE),
    words: says(/Replace the recovery codes/),
    values: passwordAndCode,
    event: "account.renew_recovery_codes",
  },
  {
    action: "changeSecondFactor",
    name: "turn a second factor off",
    by: "owner",
    arrange: turnSecondFactorOn,
    path: at(SECOND_FACTOR_PAGE),
    words: says(/Turn the second factor off/),
    values: passwordAndCode,
    event: "account.disable_second_factor",
  },
  {
    action: "dismissNotice",
    by: "owner",
    async arrange({ people, target }) {
      const facts = {
        kind: "quota",
        keys: "account",
        day: "2026-01-15",
        percent: 50,
        used: 500,
        limit: 1_000,
      } as const;
      const notice = { accountId: target.id, topic: "quota account 2026-01-15", level: 50, facts };
      await createNotices(people.database.pool, { now: systemClock }).add([notice], false);
    },
    path: at("/notices"),
    words: says(/Dismiss:/),
    event: null,
  },
  {
    action: "closeOwnAccount",
    by: "owner",
    path: at("/account"),
    words: says(/Close account for good/),
    values: ({ target }) => ({ typed: target.email, ...password() }),
    event: "account.close",
  },
  { action: "signOut", by: "owner", path: at("/quotes"), words: says(/^Sign out$/), event: "session.end" },
];

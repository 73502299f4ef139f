import { Secret, TOTP } from "otpauth";
import {
  type Action,
  askForPro,
  atPath,
  disable,
  getPassword,
  matching,
  revoke,
  type Scene,
  toKeyPage,
} from "@/e2e/process/action-scene";
import { PASSWORD } from "@/e2e/process/form-people";
import { createNotices } from "@/lib/access/notices/notices";
import { systemClock } from "@/lib/platform/timing/clock";

/** Every server action of an account owner, and the way to its form. */

const NEW_PASSWORD = "another horse battery";

async function signInElsewhere({ people, target }: Scene): Promise<void> {
  await people.signIn(target.email);
}

async function addLink(scene: Scene): Promise<void> {
  await scene.target.browser.submit(toKeyPage(scene), /Create link/, {
    path: "/v1/symbols",
    query: "",
    ...getPassword(),
  });
}

const SECOND_FACTOR_PAGE = "/account/second-factor";

async function beginSecondFactor({ target, found }: Scene): Promise<void> {
  await target.browser.submit(SECOND_FACTOR_PAGE, /Set up/, getPassword());
  const [, secret = ""] = /id="totp-secret"[^>]*>([^<]*)</.exec(await target.browser.page(SECOND_FACTOR_PAGE)) ?? [];
  const app = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(" ", "")) });
  found.code = app.generate();
  // A code works once, so the code of the next period is used as well.
  found.nextCode = app.generate({ timestamp: Date.now() + 30_000 });
}

async function turnSecondFactorOn(scene: Scene): Promise<void> {
  await beginSecondFactor(scene);
  await scene.target.browser.submit(SECOND_FACTOR_PAGE, /Turn on/, { code: scene.found.code ?? "" });
}

/** The values of actions that need a password and a code. */
const getPasswordAndCode = ({ found }: Scene) => ({ password: PASSWORD, code: found.nextCode ?? "" });

export const ownerActions: readonly Action[] = [
  {
    action: "createKey",
    by: "owner",
    path: atPath("/keys/new"),
    words: matching(/Create key/),
    values: () => ({ label: "New", ...getPassword() }),
    event: "key.create",
  },
  {
    action: "editKey",
    by: "owner",
    path: toKeyPage,
    words: matching(/Save changes/),
    values: () => ({ label: "Edited" }),
    event: "key.update",
  },
  {
    action: "createLink",
    by: "owner",
    path: toKeyPage,
    words: matching(/Create link/),
    values: () => ({ path: "/v1/symbols", query: "category=metals", ...getPassword() }),
    event: "key.create_link",
  },
  {
    action: "revokeLink",
    by: "owner",
    arrange: addLink,
    path: toKeyPage,
    words: matching(/Revoke the link/),
    event: "key.revoke_link",
  },
  { action: "disableKey", by: "owner", path: toKeyPage, words: matching(/Disable key/), event: "key.disable" },
  {
    action: "enableKey",
    by: "owner",
    arrange: disable,
    path: toKeyPage,
    words: matching(/Enable key/),
    values: getPassword,
    event: "key.enable",
  },
  {
    action: "rotateKey",
    by: "owner",
    path: toKeyPage,
    words: matching(/Rotate key/),
    values: () => ({ grace: "1h", ...getPassword() }),
    event: "key.rotate",
  },
  {
    action: "revokeKey",
    by: "owner",
    path: toKeyPage,
    words: matching(/Revoke key/),
    values: getPassword,
    event: "key.revoke",
  },
  {
    action: "restoreKey",
    by: "owner",
    arrange: revoke,
    path: toKeyPage,
    words: matching(/Undo/),
    values: getPassword,
    event: "key.restore",
  },
  {
    action: "revokeSession",
    by: "owner",
    arrange: signInElsewhere,
    path: atPath("/account"),
    words: matching(/Sign out .*seen from/),
    event: "session.revoke",
  },
  {
    action: "revokeOtherSessions",
    by: "owner",
    arrange: signInElsewhere,
    path: atPath("/account"),
    words: matching(/Sign out all others/),
    event: "session.revoke_others",
  },
  {
    action: "changePassword",
    by: "owner",
    path: atPath("/account"),
    words: matching(/Change password/),
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
    path: atPath("/account"),
    words: matching(/Unlink/),
    values: getPassword,
    event: "account.unlink_identity",
  },
  {
    action: "changeSecondFactor",
    name: "begin a second factor",
    by: "owner",
    path: atPath(SECOND_FACTOR_PAGE),
    words: matching(/Set up/),
    values: getPassword,
    event: null,
  },
  {
    action: "changeSecondFactor",
    name: "turn a second factor on",
    by: "owner",
    arrange: beginSecondFactor,
    path: atPath(SECOND_FACTOR_PAGE),
    words: matching(/Turn on/),
    values: ({ found }) => ({ code: found.code ?? "" }),
    event: "account.enable_second_factor",
  },
  {
    action: "changeSecondFactor",
    name: "replace the recovery codes",
    by: "owner",
    arrange: turnSecondFactorOn,
    path: atPath(SECOND_FACTOR_PAGE),
    words: matching(/Replace the recovery codes/),
    values: getPasswordAndCode,
    event: "account.renew_recovery_codes",
  },
  {
    action: "changeSecondFactor",
    name: "turn a second factor off",
    by: "owner",
    arrange: turnSecondFactorOn,
    path: atPath(SECOND_FACTOR_PAGE),
    words: matching(/Turn the second factor off/),
    values: getPasswordAndCode,
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
    path: atPath("/notices"),
    words: matching(/Dismiss:/),
    event: null,
  },
  {
    action: "chooseNotices",
    by: "owner",
    path: atPath("/notices"),
    words: matching(/Save/),
    values: () => ({ quota: "page" }),
    event: null,
  },
  {
    action: "requestPlan",
    by: "owner",
    path: atPath("/plan"),
    words: matching(/Request plan/),
    values: () => ({ plan: "pro", message: "More symbols" }),
    event: "plan_request.create",
  },
  {
    action: "withdrawPlanRequest",
    by: "owner",
    arrange: ({ target }) => askForPro(target),
    path: atPath("/plan"),
    words: matching(/Withdraw request/),
    event: "plan_request.withdraw",
  },
  {
    action: "closeOwnAccount",
    by: "owner",
    path: atPath("/account"),
    words: matching(/Close account for good/),
    values: ({ target }) => ({ typed: target.email, ...getPassword() }),
    event: "account.close",
  },
  { action: "signOut", by: "owner", path: atPath("/quotes"), words: matching(/^Sign out$/), event: "session.end" },
];

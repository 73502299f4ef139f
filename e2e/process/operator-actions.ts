import { type Action, at, disable, password, revoke, says, type Scene } from "@/e2e/process/action-scene";

/** Every server action with which the operator changes what is other people's, and how to come to its form. */

const anyKeyPage = ({ keyId }: Scene) => `/operator/keys/${keyId}`;
const accountPage = ({ target }: Scene) => `/operator/accounts/${target.id}`;
async function invite({ sender, target, people, found }: Scene): Promise<void> {
  found.email = `guest-of-${target.email}`;
  await sender.browser.submit("/operator/invitations", /Create invitation/, { email: found.email, plan: "free" });
  await people.database.prisma.invitation.findFirstOrThrow({ where: { email: found.email } });
}

export const operatorActions: readonly Action[] = [
  {
    action: "setPlan",
    by: "operator",
    path: accountPage,
    words: says(/Change plan/),
    values: () => ({ plan: "pro" }),
    event: "account.set_plan",
  },
  {
    action: "setLimits",
    by: "operator",
    path: accountPage,
    words: says(/Save limits/),
    values: () => ({ perMinute: "77", perDay: "none" }),
    event: "account.set_limits",
  },
  {
    action: "suspendAccount",
    by: "operator",
    path: accountPage,
    words: says(/Suspend account/),
    values: () => ({ reason: "unpaid" }),
    event: "account.suspend",
  },
  {
    action: "resumeAccount",
    by: "operator",
    async arrange(scene) {
      await scene.sender.browser.submit(accountPage(scene), /Suspend account/, { reason: "unpaid" });
    },
    path: accountPage,
    words: says(/Resume account/),
    event: "account.resume",
  },
  {
    action: "closeAccount",
    by: "operator",
    path: accountPage,
    words: says(/Close account for good/),
    values: ({ target }) => ({ typed: target.email, ...password() }),
    event: "account.close",
  },
  { action: "disableAnyKey", by: "operator", path: anyKeyPage, words: says(/Disable key/), event: "key.disable" },
  {
    action: "enableAnyKey",
    by: "operator",
    arrange: disable,
    path: anyKeyPage,
    words: says(/Enable key/),
    event: "key.enable",
  },
  {
    action: "revokeAnyKey",
    by: "operator",
    path: anyKeyPage,
    words: says(/Revoke key/),
    values: password,
    event: "key.revoke",
  },
  {
    action: "restoreAnyKey",
    by: "operator",
    arrange: revoke,
    path: anyKeyPage,
    words: says(/Undo/),
    event: "key.restore",
  },
  {
    action: "createInvitation",
    by: "operator",
    path: at("/operator/invitations"),
    words: says(/Create invitation/),
    values: ({ target }) => ({ email: `friend-of-${target.email}`, plan: "free" }),
    event: null,
  },
  {
    action: "removeInvitation",
    by: "operator",
    arrange: invite,
    path: at("/operator/invitations"),
    words: ({ found }) => new RegExp(`the invitation for ${found.email}`),
    event: null,
  },
];

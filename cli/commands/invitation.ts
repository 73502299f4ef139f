import { type Command, formatTable, toIso, withAccess } from "@/cli/command";
import type { Invitation } from "@/lib/access/accounts/registration";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { PLAN_NAMES } from "@/lib/access/plans";
import { loadConfig } from "@/lib/platform/config";

/** The operator's commands on invitations. */

function toJson({ id, email, plan, state, createdAtMs, expiresAtMs, usedAtMs }: Invitation) {
  const times = { created_at: toIso(createdAtMs), expires_at: toIso(expiresAtMs), used_at: toIso(usedAtMs) };
  return { id, email, plan, state, ...times };
}

const invitationCreate: Command = {
  name: "invitation create",
  summary: "Create a sign-up link for one person, valid for a week; it is shown once",
  options: {
    email: { value: "EMAIL", help: "the only address that may use it; the default is any" },
    plan: { value: "PLAN", help: "the plan of the new account; the default is free", choices: PLAN_NAMES },
  },
  async run(values) {
    const plan = PLAN_NAMES.find((name) => name === values.optional("plan"));
    const created = await withAccess(({ invitations }) =>
      invitations.create({ email: values.optional("email"), plan }, OPERATOR_CLI),
    );
    const { token, ...invitation } = created;
    const link = `${loadConfig(process.env).publicUrl}/sign-up?invitation=${token}`;
    const recipient = invitation.email ?? "one person";
    return {
      json: { ...toJson(invitation), link },
      text: `${link}\n\nFor ${recipient}, until ${toIso(invitation.expiresAtMs)}. It cannot be shown again.`,
    };
  },
};

const invitationList: Command = {
  name: "invitation list",
  summary: "List invitations, newest first",
  options: {},
  async run() {
    const rows = (await withAccess(({ invitations }) => invitations.list())).map(toJson);
    const heading = ["FOR", "PLAN", "STATE", "EXPIRES", "ID"];
    const lines = rows.map((row) => [
      row.email ?? "anybody",
      row.plan,
      row.state,
      row.expires_at?.slice(0, 16) ?? "",
      row.id,
    ]);
    const text = rows.length === 0 ? "There are no invitations." : formatTable([heading, ...lines]);
    return { json: { invitations: rows }, text };
  },
};

const invitationRevoke: Command = {
  name: "invitation revoke",
  summary: "Revoke an invitation, or remove an old one from the list",
  options: { id: { value: "ID", help: "the invitation's id, as invitation list shows it", required: true } },
  async run(values) {
    const id = values.text("id");
    await withAccess(({ invitations }) => invitations.remove(id, OPERATOR_CLI));
    return { json: { id, revoked: true }, text: "The invitation is gone: its link leads to nothing." };
  },
};

export const invitationCommands: readonly Command[] = [invitationCreate, invitationList, invitationRevoke];

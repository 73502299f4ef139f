import { isoOf, withAccess } from "@/cli/access";
import type { Command } from "@/cli/command";
import { table } from "@/cli/table";
import type { Invitation } from "@/lib/access/accounts/invitations";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { PLAN_NAMES } from "@/lib/access/plans";
import { loadConfig } from "@/lib/platform/config";

/** The operator's commands on invitations. */

function jsonOf({ id, email, plan, state, createdAtMs, expiresAtMs, usedAtMs }: Invitation) {
  const times = { created_at: isoOf(createdAtMs), expires_at: isoOf(expiresAtMs), used_at: isoOf(usedAtMs) };
  return { id, email, plan, state, ...times };
}

const invitationCreate: Command = {
  name: "invitation create",
  summary: "Make a link with which one person can sign up within a week; it is shown this once",
  options: {
    email: { value: "EMAIL", help: "the only address that may use it; any, unless given" },
    plan: { value: "PLAN", help: "what the account begins with; free, unless given", choices: PLAN_NAMES },
  },
  async run(values) {
    const plan = PLAN_NAMES.find((name) => name === values.optional("plan"));
    const made = await withAccess(({ invitations }) =>
      invitations.create({ email: values.optional("email"), plan }, OPERATOR_CLI),
    );
    const { token, ...invitation } = made;
    const link = `${loadConfig(process.env).publicUrl}/sign-up?invitation=${token}`;
    const whom = invitation.email ?? "one person";
    return {
      json: { ...jsonOf(invitation), link },
      text: `${link}\n\nFor ${whom}, until ${isoOf(invitation.expiresAtMs)}. It cannot be shown again.`,
    };
  },
};

const invitationList: Command = {
  name: "invitation list",
  summary: "List invitations, newest first",
  options: {},
  async run() {
    const rows = (await withAccess(({ invitations }) => invitations.list())).map(jsonOf);
    const heading = ["FOR", "PLAN", "STATE", "EXPIRES", "ID"];
    const lines = rows.map((row) => [
      row.email ?? "anybody",
      row.plan,
      row.state,
      row.expires_at?.slice(0, 16) ?? "",
      row.id,
    ]);
    const text = rows.length === 0 ? "There are no invitations." : table([heading, ...lines]);
    return { json: { invitations: rows }, text };
  },
};

const invitationRevoke: Command = {
  name: "invitation revoke",
  summary: "Take an invitation back, or an old one off the list",
  options: { id: { value: "ID", help: "the invitation's id, as invitation list shows it", required: true } },
  async run(values) {
    const id = values.text("id");
    await withAccess(({ invitations }) => invitations.remove(id, OPERATOR_CLI));
    return { json: { id, revoked: true }, text: "The invitation is gone: its link leads to nothing." };
  },
};

export const invitationCommands: readonly Command[] = [invitationCreate, invitationList, invitationRevoke];

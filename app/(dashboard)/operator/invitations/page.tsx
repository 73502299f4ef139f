import type { Metadata } from "next";
import { PageHeader } from "@/components/shell/page-header";
import { formTicket } from "@/features/forms/form-ticket";
import { createInvitation, removeInvitation } from "@/features/operator/invitation-actions";
import { InvitationForm } from "@/features/operator/invitation-form";
import { InvitationTable } from "@/features/operator/invitation-table";
import { requireOperator } from "@/features/operator/operator";
import type { SignUpMode } from "@/lib/access/accounts/sign-up";
import { getRuntime } from "@/lib/runtime";

import "@/components/ui/records.css";
import "@/features/keys/keys.css";
import "@/features/operator/operator.css";

export const metadata: Metadata = { title: "Invitations" };

const policies: Readonly<Record<SignUpMode, string>> = {
  open: "Sign-up is open: anybody who reaches this site can make an account on the Free plan. An invitation gives another plan from the start.",
  invitation: "Sign-up is by invitation: nobody makes an account without one.",
  closed: "Sign-up is closed: invitations cannot be used until SPOTLINE_SIGN_UP is open or invitation.",
};

/** Who was invited to sign up, and the means to invite. */
export default async function InvitationsPage() {
  await requireOperator("/operator/invitations");
  const { invitations, config, now } = await getRuntime();
  const list = await invitations.list();
  const ticket = await formTicket();
  return (
    <>
      <PageHeader title="Invitations" />
      <section aria-labelledby="invite-title" className="page-part">
        <h2 id="invite-title">Invite somebody</h2>
        <p>
          {policies[config.signUp]} A link works once, within seven days. It is shown here only now: send it yourself.
        </p>
        <InvitationForm action={createInvitation.bind(null, ticket)} />
      </section>
      {list.length > 0 && (
        <section aria-labelledby="list-title" className="key-history">
          <h2 id="list-title">Invitations so far</h2>
          <InvitationTable invitations={list} nowMs={now()} remove={removeInvitation.bind(null, ticket)} />
        </section>
      )}
    </>
  );
}

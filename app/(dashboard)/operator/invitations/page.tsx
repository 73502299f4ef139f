import type { Metadata } from "next";
import { PageHeader } from "@/components/shell/page-header";
import { EmptyState } from "@/components/ui/empty-state";
import { Beside, PagePart } from "@/components/ui/page-part";
import { issueFormTicket } from "@/features/forms/define-action";
import { createInvitation, removeInvitation } from "@/features/operator/actions";
import { InvitationForm } from "@/features/operator/invitation-form";
import { InvitationTable } from "@/features/operator/invitation-table";
import { definePage } from "@/features/session/page-parts";
import { isConfirmed, requireOperator } from "@/features/session/session";
import type { SignUpMode } from "@/lib/access/accounts/registration";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Invitations" };

const POLICIES: Readonly<Record<SignUpMode, string>> = {
  open: "Sign-up is open: anyone who reaches this site can create an account on the Free plan. An invitation can give another plan from the start.",
  invitation: "Sign-up is by invitation only.",
  closed: "Sign-up is closed: invitations cannot be used until SPOTLINE_SIGN_UP is open or invitation.",
};

/** The invitations to sign up, and the form that creates one. */
export default definePage("Invitations", async function InvitationsPage() {
  const { id } = await requireOperator("/operator/invitations");
  const { invitations, config, now } = await getRuntime();
  const list = await invitations.list();
  const ticket = await issueFormTicket();
  return (
    <>
      <PageHeader title="Invitations" />
      <Beside
        isFirst
        aside={
          <PagePart
            titleId="invite-title"
            title="Invite someone"
            text={`${POLICIES[config.signUp]} A link works once, within seven days. It is shown only once: copy it and send it yourself.`}
          >
            <InvitationForm action={createInvitation.bind(null, ticket)} confirmed={await isConfirmed(id)} />
          </PagePart>
        }
      >
        {list.length > 0 ? (
          <InvitationTable invitations={list} nowMs={now()} remove={removeInvitation.bind(null, ticket)} />
        ) : (
          <EmptyState art="letter" title="No invitations yet">
            An invitation lets one person create an account, on the plan that you choose.
          </EmptyState>
        )}
      </Beside>
    </>
  );
});

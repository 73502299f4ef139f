import { PagePart } from "@/components/ui/page-part";
import { ActionForm } from "@/features/forms/action-form";
import type { FormAction } from "@/features/forms/action-state";
import type { Key } from "@/lib/access/keys/key";

interface KeyStepsProps {
  apiKey: Key;
  actions: Readonly<Record<"restore" | "disable" | "enable" | "revoke", FormAction>>;
  confirmed: boolean;
  /** Who sees the forms. What an operator ended, only an operator brings back. */
  by: "owner" | "operator";
}

const DISABLED_NOTES = {
  owner: "You can enable the key again.",
  operator: "The owner cannot enable the key; only an operator can.",
} as const;

const REVOKED_NOTES = {
  owner: "You can undo this for 15 minutes.",
  operator: "An operator can undo this for 15 minutes; the owner cannot.",
} as const;

/** The forms that stop a key or bring it back, as its state allows. */
export function KeySteps({ apiKey, actions, confirmed, by }: KeyStepsProps) {
  const { id, state, restorableUntilMs, revokedByOperator, disabledByOperator } = apiKey;
  if (by === "owner" && revokedByOperator) {
    return <EndedByOperator title="Revoked by an operator" step="restore" />;
  }
  if (restorableUntilMs !== null) {
    return (
      <PagePart
        titleId="restore-title"
        title="Undo the revocation"
        text="Every call is refused. For 15 minutes after the revocation you can restore the key."
      >
        <ActionForm id={id} action={actions.restore} confirmed={confirmed} submit="Undo" />
      </PagePart>
    );
  }
  if (state !== "active" && state !== "disabled") return null;
  return (
    <>
      {state === "active" ? (
        <PagePart
          titleId="pause-title"
          title="Disable"
          text={`Every call is refused with API_KEY_DISABLED. ${DISABLED_NOTES[by]}`}
        >
          <ActionForm key="disable" id={id} action={actions.disable} submit="Disable key" />
        </PagePart>
      ) : by === "owner" && disabledByOperator ? (
        <EndedByOperator title="Disabled by an operator" step="enable" />
      ) : (
        <PagePart titleId="pause-title" title="Enable" text="The key works again as before.">
          <ActionForm key="enable" id={id} action={actions.enable} confirmed={confirmed} submit="Enable key" />
        </PagePart>
      )}
      <PagePart titleId="revoke" title="Revoke" text={`Every call with this key is refused. ${REVOKED_NOTES[by]}`}>
        <ActionForm id={id} action={actions.revoke} look="danger" confirmed={confirmed} submit="Revoke key" />
      </PagePart>
    </>
  );
}

function EndedByOperator({ title, step }: { title: string; step: "restore" | "enable" }) {
  return (
    <PagePart
      titleId="ended-title"
      title={title}
      text={`Every call is refused. Only an operator can ${step} the key.`}
    />
  );
}

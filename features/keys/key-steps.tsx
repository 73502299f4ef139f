import { PagePart } from "@/components/ui/page-part";
import { ActionForm } from "@/features/forms/action-form";
import type { FormAction } from "@/features/forms/action-state";
import type { Key } from "@/lib/access/keys/key";

interface KeyStepsProps {
  apiKey: Key;
  actions: Readonly<Record<"restore" | "disable" | "enable" | "revoke", FormAction>>;
  confirmed: boolean;
  /** Says who can enable the key again. */
  disabledNote: string;
}

/** The forms that stop a key or bring it back, as its state allows. */
export function KeySteps({ apiKey, actions, confirmed, disabledNote }: KeyStepsProps) {
  const { id, state, restorableUntilMs } = apiKey;
  if (restorableUntilMs !== null) {
    return (
      <PagePart
        titleId="restore-title"
        title="Undo the revocation"
        text="Every call is refused. For 15 minutes after the revocation you can restore the key."
      >
        <ActionForm id={id} action={actions.restore} submit="Undo" />
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
          text={`Every call is refused with API_KEY_DISABLED. ${disabledNote}`}
        >
          <ActionForm key="disable" id={id} action={actions.disable} submit="Disable key" />
        </PagePart>
      ) : (
        <PagePart titleId="pause-title" title="Enable" text="The key works again as before.">
          <ActionForm key="enable" id={id} action={actions.enable} submit="Enable key" />
        </PagePart>
      )}
      <PagePart
        titleId="revoke"
        title="Revoke"
        text="Every call with this key is refused. You can undo this for 15 minutes."
      >
        <ActionForm id={id} action={actions.revoke} look="danger" confirmed={confirmed} submit="Revoke key" />
      </PagePart>
    </>
  );
}

import type { KeyAction } from "@/features/forms/key-action";
import { KeyStep } from "@/features/forms/key-step";
import type { Key } from "@/lib/access/keys/key";

interface KeyStepsProps {
  apiKey: Key;
  actions: Readonly<Record<"restore" | "disable" | "enable" | "revoke", KeyAction>>;
  confirmed: boolean;
  /** Who can enable the key again. */
  disabledNote: string;
}

/** What stops a key and what brings it back, as far as its state allows. */
export function KeySteps({ apiKey, actions, confirmed, disabledNote }: KeyStepsProps) {
  const { id, state, restorableUntilMs } = apiKey;
  if (restorableUntilMs !== null) {
    return (
      <section aria-labelledby="restore-title" className="page-part">
        <h2 id="restore-title">Undo the revocation</h2>
        <p>Every call is refused. For 15 minutes after the revocation the key can be had back as it was.</p>
        <KeyStep id={id} action={actions.restore}>
          Undo
        </KeyStep>
      </section>
    );
  }
  if (state !== "active" && state !== "disabled") return null;
  const isActive = state === "active";
  return (
    <>
      <section aria-labelledby="pause-title" className="page-part">
        <h2 id="pause-title">{isActive ? "Disable" : "Enable"}</h2>
        <p>
          {isActive
            ? `Every call is refused with API_KEY_DISABLED. ${disabledNote}`
            : "The key works again, as it did before it was disabled."}
        </p>
        <KeyStep key={state} id={id} action={isActive ? actions.disable : actions.enable}>
          {isActive ? "Disable key" : "Enable key"}
        </KeyStep>
      </section>
      <section aria-labelledby="revoke" className="page-part">
        <h2 id="revoke">Revoke</h2>
        <p>Every call is refused from that moment on. This can be undone for 15 minutes; then it is final.</p>
        <KeyStep id={id} action={actions.revoke} look="danger" confirmed={confirmed}>
          Revoke key
        </KeyStep>
      </section>
    </>
  );
}

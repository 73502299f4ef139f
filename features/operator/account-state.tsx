import { Moment } from "@/components/shared/moment";
import { State } from "@/components/ui/state";

/** The state of an account: active, or suspended with the time since then. */
export function AccountState({ suspendedAtMs, nowMs }: { suspendedAtMs: number | null; nowMs: number }) {
  if (suspendedAtMs === null) return <State look="good">active</State>;
  return (
    <State look="warning">
      suspended <Moment atMs={suspendedAtMs} nowMs={nowMs} />
    </State>
  );
}

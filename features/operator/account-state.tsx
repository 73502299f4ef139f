import { Moment } from "@/components/shared/moment";

/** Whether an account may go on, and since when it may not. */
export function AccountState({ suspendedAtMs, nowMs }: { suspendedAtMs: number | null; nowMs: number }) {
  return (
    <span className="key-state" data-state={suspendedAtMs === null ? "active" : "disabled"}>
      <span aria-hidden className="key-state-dot" />
      <span>
        {suspendedAtMs === null ? "active" : "suspended "}
        {suspendedAtMs !== null && <Moment atMs={suspendedAtMs} nowMs={nowMs} />}
      </span>
    </span>
  );
}

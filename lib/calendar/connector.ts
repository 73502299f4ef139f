import type { Report } from "@/lib/calendar/event";
import type { ReportOutcome } from "@/lib/calendar/event-store";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";

/** A source of events that runs in the server and reports on its own schedule. */
export interface Connector {
  /** Resolves when the first report has been applied, or cannot be fetched for now. */
  start(): Promise<void>;
  stop(): void;
}

export interface ConnectorParts {
  report(report: Report): Promise<ReportOutcome>;
  readonly now: Clock;
  readonly log: Logger;
}

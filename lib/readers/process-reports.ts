import type { ChildProcess } from "node:child_process";
import type { Traffic } from "@/lib/access/usage/traffic";
import { CallCounts, type EndpointCounts } from "@/lib/platform/metrics/call-counts";

/** What a process that answers calls has counted since its start, and how it is doing. It is sent every second. */
export interface ProcessReport {
  readonly calls: readonly EndpointCounts[];
  /** Open connections of the public port, and open streams of prices. */
  readonly connections: number;
  readonly streams: number;
  /** The longest delay of the event loop since the report before. */
  readonly delayMs: number;
  /** How far the prices of the process are behind those of the writer. */
  readonly lagMs: number;
}

/**
 * The reports of a process and of those that it replaced. The counts of a process that has ended stay, as it last
 * reported them, so that no total ever falls.
 */
export class ProcessReports {
  readonly #ended = new CallCounts();
  #latest: ProcessReport | null = null;
  #longestDelayMs = 0;
  #traffic: Traffic | null = null;

  /** The calls of the process in the last minute; null before its first report. */
  get traffic(): Traffic | null {
    return this.#traffic;
  }

  onTraffic(traffic: Traffic): void {
    this.#traffic = traffic;
  }

  onReport(report: ProcessReport, sender: Pick<ChildProcess, "exitCode" | "signalCode">): void {
    // A message may arrive after the end of its process, whose counts were added then.
    if (sender.exitCode !== null || sender.signalCode !== null) return;
    this.#latest = report;
    this.#longestDelayMs = Math.max(this.#longestDelayMs, report.delayMs);
  }

  /** Called when the process has ended, perhaps more than once. */
  onEnd(): void {
    this.#ended.addAll(this.#latest?.calls ?? []);
    this.#latest = null;
    this.#traffic = null;
  }

  /** Adds the calls of all these processes. */
  addTo(calls: CallCounts): void {
    calls.addAll(this.#ended.list());
    calls.addAll(this.#latest?.calls ?? []);
  }

  get connections(): number {
    return this.#latest?.connections ?? 0;
  }

  get streams(): number {
    return this.#latest?.streams ?? 0;
  }

  /** Null before the first report. */
  get lagMs(): number | null {
    return this.#latest?.lagMs ?? null;
  }

  /** The longest delay of the event loop since the reading before; if no report has come since, that of the latest. */
  readDelayMs(): number {
    const delayMs = this.#longestDelayMs;
    this.#longestDelayMs = this.#latest?.delayMs ?? 0;
    return delayMs;
  }
}

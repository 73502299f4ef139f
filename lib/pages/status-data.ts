import type { Vitals } from "@/lib/platform/vitals";
import type { ServerStatus } from "@/lib/readers/server-status";

/** The data of the status page. */
export interface StatusData {
  readonly nowMs: number;
  /** Null until the server has sent it. */
  readonly status: ServerStatus | null;
  readonly keys: readonly BusyKey[];
  /** Open streams of the quote board. */
  readonly streams: number;
  /** The process that renders the pages. */
  readonly pages: Vitals;
  readonly database: { readonly kind: "embedded" | "postgresql"; readonly bytes: number | null };
}

export interface BusyKey {
  readonly id: string;
  readonly calls: number;
  readonly refused: number;
  /** Null for a removed key. */
  readonly label: string | null;
  readonly account: string | null;
}

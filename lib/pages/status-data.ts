import type { ServerStatus } from "@/lib/pages/server-status";
import type { Vitals } from "@/lib/platform/vitals";

/** What the status page shows. */
export interface StatusData {
  readonly nowMs: number;
  /** Null until the server has told. */
  readonly status: ServerStatus | null;
  readonly keys: readonly BusyKey[];
  /** Browsers that watch the quote board. */
  readonly streams: number;
  /** The process that renders the pages. */
  readonly pages: Vitals;
  readonly database: { readonly kind: "embedded" | "postgresql"; readonly bytes: number | null };
}

export interface BusyKey {
  readonly id: string;
  readonly calls: number;
  readonly refused: number;
  /** Null for a key that is gone. */
  readonly label: string | null;
  readonly account: string | null;
}

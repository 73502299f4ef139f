import type { LoadRequest } from "@/bench/wrk";

/** A measured request. */
export interface Case {
  readonly name: string;
  readonly request: LoadRequest;
  /** The lowest acceptable ratio to the requests a second of the bare server. */
  readonly target: number;
  /** Prepares the server. */
  readonly prepare?: () => Promise<void>;
  /** An earlier case that this one may be at most `factor` times slower than. */
  readonly baseline?: { readonly name: string; readonly factor: number };
}

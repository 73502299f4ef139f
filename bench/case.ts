import type { LoadRequest } from "@/bench/wrk";

/** A request that is measured. */
export interface Case {
  readonly name: string;
  readonly request: LoadRequest;
  /** The least share of the bare server's requests a second that is good enough. */
  readonly target: number;
  /** What is done to the server beforehand. */
  readonly prepare?: () => Promise<void>;
  /** The case, among those before, that this one may be so many times slower than. */
  readonly beside?: { readonly name: string; readonly most: number };
}

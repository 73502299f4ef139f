export interface TriedParameter {
  readonly name: string;
  readonly place: "path" | "query";
  readonly isRequired: boolean;
  /** In words: "integer, 1 to 500". */
  readonly type: string;
  /** The words to choose from; null for any text. */
  readonly words: readonly string[] | null;
  readonly value: string;
}

/** A call that the reader may try, filled in with an example. */
export interface TriedCall {
  readonly method: string;
  readonly path: string;
  readonly needsKey: boolean;
  readonly parameters: readonly TriedParameter[];
  /** An example of the body; null if the call has none. */
  readonly body: string | null;
}

import recorded from "@/lib/api/openapi/recorded-examples.json";

/** A call and its answer, as a server gave it: `npm run record:examples` records them. */
export interface RecordedExample {
  readonly title: string;
  readonly query: Readonly<Record<string, string>>;
  /** The path parameter; absent if the path has none. */
  readonly segment?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** JSON, or the text of another format. */
  readonly answer: unknown;
}

/** The compiler would read a type of its own for each of the recorded objects. */
const operations = recorded.operations as unknown as Readonly<Record<string, readonly RecordedExample[]>>;

/** An error answer of each code. */
export const errorExamples: Readonly<Record<string, object>> = recorded.errors;

export const hasErrorExample = (code: string) => Object.hasOwn(errorExamples, code);

/** The examples of an operation. */
export function findExamples(operationId: string): readonly RecordedExample[] {
  return operations[operationId] ?? [];
}

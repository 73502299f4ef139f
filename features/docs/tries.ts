import { findSchema, formatType, getDocument } from "@/features/docs/document";
import type { Endpoint } from "@/lib/api/engine/endpoint";
import { formatOperationId } from "@/lib/api/openapi/describe-operation";
import { findExamples } from "@/lib/api/openapi/recorded-examples";

/** Lists the calls that a page lets its reader try, each filled in with its example. A stream would not end. */
export function listTries(endpoints: readonly Endpoint[]): TriedCall[] {
  return endpoints
    .filter(({ contentType }) => contentType !== "text/event-stream")
    .map((endpoint) => {
      const { method, path, access } = endpoint;
      const example = findExamples(formatOperationId(endpoint))[0];
      const parameters = getDocument().paths[path]?.[method.toLowerCase()]?.parameters ?? [];
      return {
        method,
        path,
        needsKey: access === "key",
        parameters: parameters.map(({ name, in: place, required, schema }) => {
          const words = findSchema(schema).enum?.map(String) ?? (schema.type === "boolean" ? ["true", "false"] : null);
          const value = place === "path" ? example?.segment : example?.query[name];
          return { name, place, isRequired: required, type: formatType(schema), words, value: value ?? "" };
        }),
        body: endpoint.body === null ? null : JSON.stringify(example?.body ?? {}, null, 2),
      };
    });
}

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

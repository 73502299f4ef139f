import { findSchema, getDocument } from "@/features/docs/document";
import { formatType } from "@/features/docs/fields";
import type { TriedCall } from "@/features/docs/types";
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

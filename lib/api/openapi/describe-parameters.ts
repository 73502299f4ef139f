import * as z from "zod";
import type { Endpoint } from "@/lib/api/engine/endpoint";
import type { ErrorCode } from "@/lib/api/engine/errors";
import { symbolParam } from "@/lib/api/engine/params";
import type { Components } from "@/lib/api/openapi/components";

interface ParameterSchema {
  readonly type?: string;
  readonly description?: string;
  readonly example?: unknown;
  readonly refusedWith?: readonly ErrorCode[];
}

/** Describes the parameters of an endpoint, from the schemas that check them. */
export function describeParameters(endpoint: Endpoint, components: Components) {
  const { properties = {}, required = [] } = components.describe(endpoint.query, "input") as {
    properties?: Record<string, ParameterSchema>;
    required?: string[];
  };
  const refusals: ErrorCode[] = [];
  const parameters: object[] = describePathParameters(endpoint, components);
  for (const [name, { description, example, refusedWith, ...schema }] of Object.entries(properties)) {
    // The token is described as a security scheme.
    if (endpoint.takesFeedToken && name === "token") continue;
    refusals.push(...(refusedWith ?? []));
    const byDefault = findDefault(endpoint.query.shape[name]);
    parameters.push({
      name,
      in: "query",
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      // Lists are one value, separated by commas.
      ...(schema.type === "array" ? { style: "form", explode: false } : {}),
      ...(example === undefined ? {} : { example }),
      schema: byDefault === undefined ? schema : { ...schema, default: byDefault },
    });
  }
  return { parameters, refusals };
}

/** The default of a parameter. JSON Schema leaves out those of parameters that are parsed from text. */
function findDefault(schema: unknown): unknown {
  for (let each = schema; each instanceof z.ZodType; each = (each.def as { innerType?: unknown }).innerType) {
    if (each instanceof z.ZodDefault) return each.def.defaultValue;
  }
  return undefined;
}

/** A parameter in a path is a symbol, or the id of what it names. */
function describePathParameters({ path }: Endpoint, components: Components): object[] {
  const name = /\{(\w+)\}/.exec(path)?.[1];
  if (name === undefined) return [];
  if (name !== "symbol") {
    const schema = { type: "string", format: "uuid" };
    return [{ name, in: "path", required: true, description: `The id of the ${name}`, schema }];
  }
  const { description, example, ...schema } = components.describe(symbolParam, "input") as ParameterSchema;
  return [{ name, in: "path", required: true, description, example, schema }];
}

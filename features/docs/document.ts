import { describeApi } from "@/lib/api/openapi/describe-api";
import { endpoints } from "@/lib/api/registry";

/** Stands for the address of the installation in texts that all visitors share. */
export const ORIGIN_MARK = "https://address.invalid";

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly default?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
}

interface Parameter {
  readonly name: string;
  readonly in: "query" | "path";
  readonly required: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: Schema;
}

interface Answer {
  readonly $ref?: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Answer>>;
    readonly headers: Readonly<Record<string, { readonly description: string; readonly example: string | number }>>;
  };
}

let described: ApiDocument | null = null;

/** The OpenAPI document, from which the pages are drawn; made once. */
export function getDocument(): ApiDocument {
  return (described ??= describeApi(endpoints, ORIGIN_MARK) as ApiDocument);
}

/** Follows a reference to its schema. */
export function findSchema(schema: Schema): Schema {
  const name = schema.$ref?.split("/").at(-1);
  const found = name === undefined ? schema : getDocument().components.schemas[name];
  if (found === undefined) throw new Error(`The document has no schema ${name}.`);
  return found;
}

/** Follows a reference to an answer. */
export function findAnswer(answer: Answer): Answer {
  const name = answer.$ref?.split("/").at(-1);
  return (name === undefined ? answer : getDocument().components.responses[name]) ?? answer;
}

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

/** Parts of pages as Markdown. */

/** A table; cells are escaped, so that none can end. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(" | ")} |`;
  return [line(head), `|${" --- |".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

export function formatCode(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

const escapeCell = (text: string) => text.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " ");

/** One field of an answer or a body. */
export interface Field {
  /** "data.candles[].time" */
  readonly name: string;
  readonly type: string;
  readonly description: string;
}

const MAX_DEPTH = 6;

/** Lists the fields of a schema, depth first. Of several variants, each field is listed once. */
export function listFields(schema: Schema): Field[] {
  const fields = new Map<string, Field>();
  collect(schema, "", fields, 0);
  return [...fields.values()];
}

function collect(given: Schema, prefix: string, fields: Map<string, Field>, depth: number): void {
  const schema = findSchema(given);
  if (depth > MAX_DEPTH) return;
  for (const variant of schema.anyOf ?? []) collect(variant, prefix, fields, depth);
  if (schema.items !== undefined) collect(schema.items, `${prefix}[]`, fields, depth + 1);
  if (typeof schema.additionalProperties === "object") {
    add(fields, `${prefix}.*`, schema.additionalProperties, false);
    collect(schema.additionalProperties, `${prefix}.*`, fields, depth + 1);
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const path = prefix === "" ? name : `${prefix}.${name}`;
    add(fields, path, property, schema.required?.includes(name) !== true);
    collect(property, path, fields, depth + 1);
  }
}

function add(fields: Map<string, Field>, name: string, property: Schema, isOptional: boolean): void {
  if (fields.has(name)) return;
  const description = property.description ?? findSchema(property).description ?? "";
  fields.set(name, { name, type: `${formatType(property)}${isOptional ? ", optional" : ""}`, description });
}

/** Formats a type in words: "number or null", "integer, 1 to 500", "H1, H4 or D1". */
export function formatType(given: Schema): string {
  const schema = findSchema(given);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return formatWords(schema.enum.map((word) => (word === "" ? '""' : String(word))));
  if (schema.anyOf !== undefined) return formatWords([...new Set(schema.anyOf.map(formatType))]);
  if (schema.items !== undefined) return formatList(schema, schema.items);
  const type = typeof schema.type === "string" ? schema.type : (schema.type ?? ["any"]).join(" or ");
  if (schema.format === "date-time") return "time";
  const { minimum, maximum } = schema;
  const isBounded = minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  return isBounded ? `${type}, ${minimum} to ${maximum}` : type;
}

function formatList({ maxItems }: Schema, items: Schema): string {
  return `list of ${formatType(items)}${maxItems === undefined ? "" : `, at most ${maxItems}`}`;
}

/** Long lists of words, such as the names of indicators, are cut. */
const SHOWN_WORDS = 12;

function formatWords(words: readonly string[]): string {
  if (words.length > SHOWN_WORDS)
    return `${words.slice(0, SHOWN_WORDS).join(", ")} and ${words.length - SHOWN_WORDS} more`;
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${String(words.at(-1))}`;
}

import type { Endpoint } from "@/lib/api/engine/endpoint";
import { describeApi } from "@/lib/api/openapi/describe-api";
import { formatOperationId } from "@/lib/api/openapi/describe-operation";
import { endpoints } from "@/lib/api/registry";

const HEAD = `"""Generated from the OpenAPI document by \`npm run generate:clients\`. Do not edit."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, NotRequired, TypedDict, Union

from urllib.parse import quote as _quote

from .answer import Answer

Time = Union[datetime, str]
`;

/** Methods whose name is not that of their path. */
const NAMES: Readonly<Record<string, string>> = {
  getSymbolsSymbol: "symbol",
  getCalendarIcs: "calendar_feed",
  getMonitorAccount: "account",
  getMonitorLayout: "layout",
  putMonitorLayout: "save_layout",
  getOpenapiJson: "openapi",
  postQuotes: "quotes",
  postAlerts: "create_alert",
  getAlertsAlert: "alert",
  patchAlertsAlert: "change_alert",
  deleteAlertsAlert: "delete_alert",
  postWebhooks: "create_webhook",
  postWebhooksWebhook: "test_webhook",
  deleteWebhooksWebhook: "delete_webhook",
  postExport: "create_export",
  getExportId: "read_export",
  deleteExportId: "delete_export",
};

interface Parameter {
  readonly name: string;
  readonly in: "query" | "path";
  readonly required: boolean;
  readonly schema: JsonSchema;
}

interface Operation {
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly schema: JsonSchema } } };
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }>
  >;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

interface Method {
  readonly endpoint: Endpoint;
  readonly name: string;
  readonly summary: string;
  readonly answer: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly type: string;
    readonly required: boolean;
    readonly place: string;
  }[];
}

/** Writes the types of the document, and a method for each operation, as Python. */
export function writePythonClient(): string {
  const document = describeApi(endpoints, "https://prices.example") as Document;
  const types = new PythonTypes();
  for (const [name, schema] of Object.entries(document.components.schemas)) types.define(name, schema);
  const methods = endpoints
    // A link is opened as it is.
    .filter(({ path }) => path !== "/v1/stream" && path !== "/v1/export/files/{file}")
    .map((endpoint) => describeMethod(endpoint, document, types));
  const writeClass = (name: string, isAsync: boolean) =>
    [
      `class ${name}:`,
      `    """A method for each endpoint."""`,
      "",
      `    ${isAsync ? "async " : ""}def _call(self, method: str, path: str, query: dict[str, Any], body: dict[str, Any] | None = None) -> Answer[Any]:`,
      "        raise NotImplementedError",
      "",
      methods.map((method) => writeMethod(method, isAsync)).join("\n\n"),
    ].join("\n");
  return `${[HEAD, types.write(), "", writeClass("Calls", false), "", writeClass("AsyncCalls", true)].join("\n\n")}\n`;
}

function describeMethod(endpoint: Endpoint, { paths }: Document, types: PythonTypes): Method {
  const operation = paths[endpoint.path]?.[endpoint.method.toLowerCase()];
  if (operation === undefined) throw new Error(`The document lacks ${endpoint.method} ${endpoint.path}.`);
  const name =
    NAMES[formatOperationId(endpoint)] ?? endpoint.path.replace(/^\/(v1\/)?/, "").replaceAll(/[^a-z]+/g, "_");
  const typeName = name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const body = operation.requestBody?.content["application/json"].schema;
  const fields = Object.entries(body?.properties ?? {}).map(([field, schema]) => ({
    name: field,
    required: body?.required?.includes(field) ?? false,
    schema,
    in: "body",
  }));
  const parameters = [...(operation.parameters ?? []), ...fields]
    .filter((each) => each.in === "body" || (each.name !== "format" && each.name !== "envelope"))
    .map((each) => ({
      name: each.name,
      required: each.required,
      place: each.in,
      type: describeArgument(each.schema, types, typeName),
    }))
    .sort((one, other) => Number(other.required) - Number(one.required));
  return {
    endpoint,
    name,
    summary: operation.summary,
    parameters,
    answer: describeAnswer(operation, types, `${typeName}Data`),
  };
}

/** Callers may pass any sequence, and times as datetime. */
function describeArgument(schema: JsonSchema, types: PythonTypes, name: string): string {
  if (schema.format === "date-time") return "Time";
  return types.describe(schema, `${name}Argument`).replace(/^list\[/, "Sequence[");
}

/** The type of the data of an answer: what is in the envelope, or the whole body where there is none. */
function describeAnswer({ responses }: Operation, types: PythonTypes, name: string): string {
  const schema = (responses[200] ?? responses[202])?.content["application/json"]?.schema;
  if (schema === undefined) return "str";
  const variants = (schema.anyOf ?? [schema]).filter((each) => !isFlatList(each));
  const data = variants.map((each, at) => types.describe(each.properties?.data ?? each, `${name}${at || ""}`));
  return data.length === 1 ? (data[0] ?? "Any") : `Union[${data.join(", ")}]`;
}

/** The answer of quotes without the envelope, which this client does not ask for. */
const isFlatList = ({ properties = {} }: JsonSchema) => "success" in properties && !("data" in properties);

function writeMethod({ endpoint, name, summary, parameters, answer }: Method, isAsync: boolean): string {
  const required = parameters
    .filter((each) => each.required)
    .map((each) => `, ${toPythonName(each.name)}: ${each.type}`);
  const optional = parameters
    .filter((each) => !each.required)
    .map(
      (each) =>
        `, ${toPythonName(each.name)}: ${each.type.startsWith('"') ? `Union[${each.type}, None]` : `${each.type} | None`} = None`,
    );
  const keywords = optional.length === 0 ? "" : `, *${optional.join("")}`;
  const list = (place: string) =>
    `{${parameters
      .filter((each) => each.place === place)
      .map((each) => `"${each.name}": ${toPythonName(each.name)}`)
      .join(", ")}}`;
  const [, segment] = /\{(\w+)\}/.exec(endpoint.path) ?? [];
  const path =
    segment === undefined
      ? `"${endpoint.path}"`
      : `"${endpoint.path}".replace("{${segment}}", _quote(${segment}, safe=""))`;
  const body = endpoint.body === null ? "" : `, ${list("body")}`;
  const call = `self._call("${endpoint.method}", ${path}, ${list("query")}${body})`;
  return [
    `    ${isAsync ? "async " : ""}def ${name}(self${required.join("")}${keywords}) -> Answer[${answer}]:`,
    `        ${formatDocstring(summary)}`,
    `        return ${isAsync ? "await " : ""}${call}`,
  ].join("\n");
}

/** Python types of JSON schemas: TypedDicts for objects, as they come from the API. */

interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
}

const SIMPLE: Readonly<Record<string, string>> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};

const KEYWORDS = new Set([
  "from",
  "class",
  "def",
  "global",
  "import",
  "in",
  "is",
  "lambda",
  "not",
  "or",
  "and",
  "pass",
]);

/** A text as a string of Python that may have several lines. */
const formatDocstring = (text: string) => `"""${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"""`;

/** A name that Python takes: "from" becomes "from_". */
const toPythonName = (name: string) => (KEYWORDS.has(name) ? `${name}_` : name);

const toPascalCase = (name: string) =>
  name
    .split(/[^a-z\d]+/i)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

/** Collects the definitions of the types that it describes. */
class PythonTypes {
  readonly #definitions = new Map<string, string>();

  /** Defines a named type. */
  define(name: string, schema: JsonSchema): void {
    if (schema.properties === undefined) this.#definitions.set(name, `${name} = ${this.describe(schema, name)}`);
    else this.#defineObject(name, schema);
  }

  /** The type of a schema as Python writes it. @param name of the object that it may be */
  describe(schema: JsonSchema, name: string): string {
    const { $ref, anyOf, type, items, additionalProperties } = schema;
    if ($ref !== undefined) return `"${$ref.split("/").at(-1)}"`;
    if (schema.const !== undefined) return `Literal[${toLiteral(schema.const)}]`;
    if (schema.enum !== undefined) return `Literal[${schema.enum.map(toLiteral).join(", ")}]`;
    if (anyOf !== undefined) return this.#join(anyOf.map((each, at) => this.describe(each, `${name}${at || ""}`)));
    if (Array.isArray(type))
      return this.#join(type.map((each: string) => this.describe({ ...schema, type: each }, name)));
    if (schema.properties !== undefined) {
      this.#defineObject(name, schema);
      return `"${name}"`;
    }
    if (type === "array") return `list[${this.describe(items ?? {}, `${name}Item`)}]`;
    if (typeof additionalProperties === "object")
      return `dict[str, ${this.describe(additionalProperties, `${name}Value`)}]`;
    if (type === "object") return "dict[str, Any]";
    return SIMPLE[String(type)] ?? "Any";
  }

  /** Names of types are texts, which Python does not join with a bar. */
  #join(types: readonly string[]): string {
    const all = [...new Set(types)];
    return all.length === 1 ? (all[0] ?? "Any") : `Union[${all.join(", ")}]`;
  }

  #defineObject(name: string, { properties = {}, required = [], description }: JsonSchema): void {
    // Before its fields, which may define objects of their own.
    this.#definitions.set(name, "");
    const fields = Object.entries(properties).map(([field, schema]) => {
      const type = this.describe(schema, `${name}${toPascalCase(field)}`);
      return [field, required.includes(field) ? type : `NotRequired[${type}]`, schema.description] as const;
    });
    const isPlain = fields.every(([field]) => /^[a-z_]\w*$/i.test(field) && !KEYWORDS.has(field));
    const lines = fields.map(([field, type, text]) =>
      isPlain
        ? `    ${field}: ${type}${text === undefined ? "" : `\n    ${formatDocstring(text)}`}`
        : `    "${field}": ${type},`,
    );
    const docstring = description === undefined ? "" : `    ${formatDocstring(description)}\n\n`;
    const body = lines.length === 0 ? "    pass" : lines.join("\n");
    const text = isPlain
      ? `class ${name}(TypedDict):\n${docstring}${body}`
      : `${name} = TypedDict("${name}", {\n${body}\n})`;
    this.#definitions.set(name, text);
  }

  /** All definitions. */
  write(): string {
    return [...this.#definitions.values()].join("\n\n\n");
  }
}

function toLiteral(value: unknown): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  return value === null ? "None" : JSON.stringify(value);
}

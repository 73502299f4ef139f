import type { Endpoint } from "@/lib/api/engine/endpoint";
import { describeApi } from "@/lib/api/openapi/describe-api";
import { formatOperationId } from "@/lib/api/openapi/describe-operation";
import { endpoints } from "@/lib/api/registry";
import { formatDocstring, type JsonSchema, PythonTypes, toPythonName } from "@/scripts/python-types";

/** The generated part of the Python client. */
export const PYTHON_CLIENT_FILE = "clients/python/src/spotline/generated.py";

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
  readonly responses: { readonly 200: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> } };
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
    .filter(({ path }) => path !== "/v1/stream")
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
    .filter((each) => each.name !== "format" && each.name !== "envelope")
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
  const schema = responses[200].content["application/json"]?.schema;
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

import { type CodeRequest, type Language, LANGUAGES, writeCode } from "@/components/shared/write-code";
import {
  findAnswer,
  formatCode,
  formatTable,
  formatType,
  getDocument,
  listFields,
  type Operation,
  ORIGIN_MARK,
  type Schema,
} from "@/features/docs/document";
import type { Endpoint } from "@/lib/api/engine/endpoint";
import { findErrorGuide } from "@/lib/api/engine/error-guide";
import { formatOperationId, formatTerms } from "@/lib/api/openapi/describe-operation";
import { findExamples, type RecordedExample } from "@/lib/api/openapi/recorded-examples";

/** Writes the page of a path as Markdown: each of its operations, from the document and the recorded examples. */
export function writeReference(path: string, atPath: readonly Endpoint[]): string {
  const parts = atPath.map((endpoint) => {
    const operation = getDocument().paths[path]?.[endpoint.method.toLowerCase()];
    if (operation === undefined) throw new Error(`The document lacks ${endpoint.method} ${path}.`);
    return writeOperation(endpoint, operation, atPath.length > 1);
  });
  const title = atPath.length === 1 ? `${atPath[0]?.method} ${path}` : path;
  return [`# ${title}`, ...parts].join("\n\n");
}

function writeOperation(endpoint: Endpoint, operation: Operation, isOneOfMany: boolean): string {
  const examples = findExamples(formatOperationId(endpoint));
  const parts = [
    isOneOfMany ? `## ${endpoint.method} ${endpoint.path}` : null,
    endpoint.summary,
    endpoint.description ?? null,
    `**${formatTerms(endpoint)}** See [limits and credits](/docs/limits-and-credits).`,
    ...writeParameters(operation),
    ...writeBody(operation),
    ...writeCall(endpoint, examples[0]),
    ...writeAnswers(endpoint, operation, examples),
    ...writeErrors(operation),
  ];
  return parts.filter((part) => part !== null).join("\n\n");
}

function writeParameters({ parameters = [] }: Operation): string[] {
  if (parameters.length === 0) return [];
  const rows = parameters.map(({ name, required, description = "", schema }) => [
    `\`${name}\``,
    formatType(schema),
    required ? "required" : formatDefault(schema),
    description,
  ]);
  return ["## Parameters", formatTable(["Name", "Type", "Default", "What it does"], rows)];
}

const formatDefault = ({ default: value }: Schema) => (value === undefined ? "" : `\`${String(value)}\``);

function writeBody({ requestBody }: Operation): string[] {
  const schema = requestBody?.content["application/json"]?.schema;
  if (schema === undefined) return [];
  return ["## Body", "JSON, with `Content-Type: application/json`.", writeFields(schema)];
}

function writeFields(schema: Schema): string {
  const rows = listFields(schema).map(({ name, type, description }) => [`\`${name}\``, type, description]);
  return formatTable(["Field", "Type", "What it is"], rows);
}

const FENCES: Readonly<Record<Language, string>> = { curl: "sh", TypeScript: "ts", Python: "python" };

function writeCall(endpoint: Endpoint, example: RecordedExample | undefined): string[] {
  const path = endpoint.path.replace(/\{\w+\}/, example?.segment ?? "");
  const request: CodeRequest = {
    path,
    ...(endpoint.method === "GET" || endpoint.method === "POST" ? {} : { method: endpoint.method }),
    ...(example === undefined ? {} : { query: example.query }),
    ...(example?.body === undefined ? {} : { body: example.body }),
  };
  // The code in other languages reads JSON.
  const languages = endpoint.contentType === undefined ? LANGUAGES : (["curl"] as const);
  return [
    "## Call",
    ...languages.flatMap((language) => [
      `### ${language}`,
      formatCode(FENCES[language], writeCode(language, ORIGIN_MARK, request)),
    ]),
  ];
}

/** Characters of an example that a page shows. */
const MAX_EXAMPLE = 6_000;

function writeAnswers(endpoint: Endpoint, operation: Operation, examples: readonly RecordedExample[]): string[] {
  const success = operation.responses[endpoint.successStatus ?? 200];
  const shown = examples.flatMap(({ title, query, answer }) => {
    const isText = typeof answer === "string";
    const text = isText ? answer.replaceAll("\r\n", "\n") : JSON.stringify(answer, null, 2);
    const search = Object.entries(query).map(([name, value]) => `${name}=${value}`);
    const target = search.length === 0 ? "" : ` \`?${search.join("&")}\``;
    const cut = text.length > MAX_EXAMPLE ? `${text.slice(0, MAX_EXAMPLE)}\n…` : text;
    return [`### ${title}`, ...(target === "" ? [] : [target.trim()]), formatCode(isText ? "text" : "json", cut)];
  });
  const schema = success?.content?.["application/json"]?.schema;
  const fields = schema === undefined || listFields(schema).length === 0 ? [] : ["### Fields", writeFields(schema)];
  const csv = endpoint.csv === undefined ? [] : [`With \`format=csv\` a table: \`${endpoint.csv.join(",")}\`.`];
  return ["## Answer", ...csv, ...shown, ...fields, ...writeHeaders(success?.headers ?? {})];
}

function writeHeaders(headers: Readonly<Record<string, unknown>>): string[] {
  const described = getDocument().components.headers;
  const rows = Object.keys(headers).map((name) => [`\`${name}\``, described[name]?.description ?? ""]);
  return ["### Headers", formatTable(["Header", "What it tells"], rows)];
}

function writeErrors({ responses }: Operation): string[] {
  const rows = Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, answer]) =>
      findAnswer(answer)
        .description.split(", ")
        .map((code) => [
          status,
          `[\`${code}\`](/docs/errors#${code.toLowerCase()})`,
          findErrorGuide(code)?.meaning ?? "",
        ]),
    );
  return ["## Errors", formatTable(["Status", "Code", "Meaning"], rows)];
}

/** Python types of JSON schemas: TypedDicts for objects, as they come from the API. */

export interface JsonSchema {
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
export const formatDocstring = (text: string) => `"""${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"""`;

/** A name that Python takes: "from" becomes "from_". */
export const toPythonName = (name: string) => (KEYWORDS.has(name) ? `${name}_` : name);

const toPascalCase = (name: string) =>
  name
    .split(/[^a-z\d]+/i)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

/** Collects the definitions of the types that it describes. */
export class PythonTypes {
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

import * as z from "zod";

type Json = Record<string, unknown>;
/** What clients send, or what they get. */
type Io = "input" | "output";

/** The parts that operations share: a schema with the id "Quote" becomes `#/components/schemas/Quote`. */
export class Components {
  readonly schemas: Record<string, Json> = {};
  readonly responses: Record<string, object> = {};

  /** Describes a schema, and collects the named ones in it. */
  describe(schema: z.ZodType, io: Io = "output"): Json {
    const { $defs = {}, ...described } = z.toJSONSchema(schema, { io, unrepresentable: "any", override });
    for (const [name, definition] of Object.entries($defs)) this.schemas[name] ??= finish(definition as Json, io);
    const { id } = described;
    if (typeof id !== "string") return finish(described as Json, io);
    this.schemas[id] ??= finish(described as Json, io);
    return { $ref: `#/components/schemas/${id}` };
  }

  /** Describes the answer of a status. Those that most operations share have a name, such as "Unauthorized". */
  describeAnswer(name: string | undefined, answer: object): object {
    if (name === undefined) return answer;
    const shared = (this.responses[name] ??= answer);
    return JSON.stringify(shared) === JSON.stringify(answer) ? { $ref: `#/components/responses/${name}` } : answer;
  }
}

/**
 * Leaves out what clients should not depend on: that no field will be added, and the pattern of times, which their
 * format says already.
 */
function override({ jsonSchema }: { jsonSchema: Json }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
}

function finish(schema: Json, io: Io): Json {
  const text = JSON.stringify({ ...schema, id: undefined, $schema: undefined });
  const described = JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
  if (io === "output") describeCommonFields(described);
  return described;
}

/** What fields mean that have the same name, and the same meaning, in many answers. */
const COMMON_FIELDS: Readonly<Record<string, string>> = {
  ask: "The price to buy at",
  base_currency: "The first currency of a pair; null where there is none",
  bid: "The price to sell at",
  category: "The kind of instrument",
  close: "The last price of the bar",
  count: "How many there are in this answer",
  currency: "The code of the currency",
  digits: "The decimals of its finest price so far: they rise, and never fall",
  event: "What happens",
  has_more: "Whether a further page has more",
  high: "The highest price of the bar",
  impact: "How much the event usually moves prices",
  indicator: "The name of the indicator",
  limit: "The most that a page has",
  low: "The lowest price of the bar",
  name: "The name for people",
  not_found: "What was asked for and does not exist",
  offset: "How many came before this page",
  open: "The first price of the bar",
  period: "The time that ends now",
  pip_size: "One pip as a price",
  previous: "The figure of the release before",
  quote_currency: "The currency of its prices; null where there is none",
  source: "The source of the data",
  spread: "The ask less the bid",
  spread_pips: "The ask less the bid, in pips, with as many decimals as a point needs",
  status: "How it is",
  symbol: "The canonical name of the instrument",
  timeframe: "The length of the bars",
  total: "How many there are on all pages",
  value: "The value of the indicator",
};

interface Described {
  readonly properties?: Readonly<Record<string, Described & { description?: string; $ref?: string }>>;
}

/** Adds the common descriptions to the fields of a schema that have none, at every depth. */
function describeCommonFields(value: unknown): void {
  if (value === null || typeof value !== "object") return;
  for (const [name, property] of Object.entries((value as Described).properties ?? {})) {
    const description = COMMON_FIELDS[name];
    if (description !== undefined && property.$ref === undefined) property.description ??= description;
  }
  for (const each of Object.values(value)) describeCommonFields(each);
}

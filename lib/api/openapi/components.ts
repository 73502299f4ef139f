import * as z from "zod";
import { describeCommonFields } from "@/lib/api/openapi/common-fields";

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

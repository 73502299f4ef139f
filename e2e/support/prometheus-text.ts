/** Reads Prometheus' text format, strictly: version 0.0.4. */

interface MetricSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface ScrapedMetrics {
  /** The type of each metric, by the name of its TYPE line. */
  readonly types: ReadonlyMap<string, string>;
  readonly samples: readonly MetricSample[];
  /** The sum of the samples of a name that have these labels; null without any. */
  sum(name: string, labels?: Readonly<Record<string, string>>): number | null;
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const HELP = new RegExp(`^# HELP ${NAME} \\S.*$`);
const TYPE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary|untyped)$`);
const LABEL = `[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"`;
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)\\})? ([-+]?(?:[\\d.]+(?:e[-+]?\\d+)?|Inf)|Nan)$`);

/** Throws an Error that names the first line that is not of the format, or a sample without a type. */
export function parseMetrics(text: string): ScrapedMetrics {
  if (!text.endsWith("\n")) throw new Error("The text must end with a line feed.");
  const types = new Map<string, string>();
  const samples: MetricSample[] = [];
  const seen = new Set<string>();
  for (const line of text.split("\n")) {
    const [, typed, type] = TYPE.exec(line) ?? [];
    const [, name, labels = "", value] = SAMPLE.exec(line) ?? [];
    if (typed !== undefined && type !== undefined) types.set(typed, type);
    else if (name !== undefined && value !== undefined) {
      const family = types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, "");
      if (!types.has(family)) throw new Error(`${name} has no type.`);
      if (seen.has(`${name}{${labels}}`)) throw new Error(`${name}{${labels}} is there twice.`);
      seen.add(`${name}{${labels}}`);
      samples.push({ name, labels: parseLabels(labels), value: Number(value.replace("Inf", "Infinity")) });
    } else if (line !== "" && !HELP.test(line)) throw new Error(`Not a line of the format: ${line}`);
  }
  return { types, samples, sum: (name, labels = {}) => sumSamples(samples, name, labels) };
}

function parseLabels(text: string): Record<string, string> {
  return Object.fromEntries(
    (text.match(new RegExp(LABEL, "g")) ?? []).map((pair) => {
      const [name = "", value = ""] = pair.split(/=(.*)/s);
      return [name, JSON.parse(value) as string];
    }),
  );
}

function sumSamples(samples: readonly MetricSample[], name: string, labels: Readonly<Record<string, string>>) {
  const found = samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  return found.length === 0 ? null : found.reduce((total, { value }) => total + value, 0);
}

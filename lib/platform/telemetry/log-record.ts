import type { AnyValueMap, Logger } from "@opentelemetry/api-logs";

/** pino's levels, and the severity of OpenTelemetry that each begins at. */
const SEVERITIES = [
  { level: 60, number: 21, text: "FATAL" },
  { level: 50, number: 17, text: "ERROR" },
  { level: 40, number: 13, text: "WARN" },
  { level: 30, number: 9, text: "INFO" },
  { level: 20, number: 5, text: "DEBUG" },
  { level: 0, number: 1, text: "TRACE" },
] as const;

/** Emits a line of the log: its message is the body, its other fields are attributes. Lines of a request have no message. */
export function emitLine(logger: Logger, line: string): void {
  const { level, time, msg, ...fields } = JSON.parse(line) as { level: number; time: string; msg?: string };
  const severity = SEVERITIES.find((each) => level >= each.level);
  const { method, path, status } = fields as { method?: string; path?: string; status?: number };
  logger.emit({
    timestamp: new Date(time),
    body: msg ?? `${method} ${path} ${status}`,
    ...(severity && { severityNumber: severity.number, severityText: severity.text }),
    attributes: flatten(fields),
  });
}

/** Attributes are plain values; objects such as an error's become dotted names: `err.message`. */
function flatten(fields: object, prefix = "", found: AnyValueMap = {}): AnyValueMap {
  for (const [name, value] of Object.entries(fields) as [string, unknown][]) {
    if (value === null || value === undefined) continue;
    if (Array.isArray(value)) found[prefix + name] = JSON.stringify(value);
    else if (typeof value === "object") flatten(value, `${prefix}${name}.`, found);
    else found[prefix + name] = value as string | number | boolean;
  }
  return found;
}

import { splitList } from "@/cli/access";
import { UsageError, type Values } from "@/cli/command";
import type { Key } from "@/lib/access/keys/key";

/** The options of a key's endpoints, symbols, origins and limits. An absent option leaves its setting out. */
export function readPermissions(values: Pick<Values, "optional">) {
  const list = (name: string) => {
    const text = values.optional(name);
    return text === undefined ? undefined : text === "any" ? [] : splitList(text);
  };
  const [endpoints, symbols, origins] = [list("endpoints"), list("symbols"), list("origins")];
  const [perMinute, perDay] = [readLimit(values, "per-minute"), readLimit(values, "per-day")];
  return {
    ...(endpoints === undefined ? {} : { endpoints }),
    ...(symbols === undefined ? {} : { symbols }),
    ...(origins === undefined ? {} : { origins }),
    ...(perMinute === undefined ? {} : { perMinute }),
    ...(perDay === undefined ? {} : { perDay }),
  };
}

function readLimit(values: Pick<Values, "optional">, name: string): number | null | undefined {
  const text = values.optional(name);
  if (text === undefined) return undefined;
  if (text === "none") return null;
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${name} must be a whole number, or none.`);
  return Number(text);
}

/** The restrictions of a key, each ended by a semicolon: "symbols forex; 10 calls a minute; ". */
export function formatPermissions(key: Key): string {
  const { allowedEndpoints, allowedSymbols, allowedOrigins, perMinuteLimit, perDayLimit } = key;
  const parts = [
    allowedEndpoints.length > 0 && `endpoints ${allowedEndpoints.join(", ")}`,
    allowedSymbols.length > 0 && `symbols ${allowedSymbols.join(", ")}`,
    allowedOrigins.length > 0 && `origins ${allowedOrigins.join(", ")}`,
    perMinuteLimit !== null && `${perMinuteLimit} calls a minute`,
    perDayLimit !== null && `${perDayLimit} calls a day`,
  ];
  return parts
    .filter((part) => part !== false)
    .map((part) => `${part}; `)
    .join("");
}

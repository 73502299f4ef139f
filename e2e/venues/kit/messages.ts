/** A message on the wire as patterns see it: a JSON value (also a plain string), or the fields of a FIX message. */
export type Message =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "fix"; readonly fields: readonly FixField[] };

/** Tag and value. A tag may repeat. */
export type FixField = readonly [tag: string, value: string];

/** The byte that ends a FIX field. */
export const SOH = "\x01";
/** Matches any value that is present. */
const ANY = "*";

const FIX_TEXT = /^\d+=/;

/** Whether a scenario's text is a FIX message: `tag=value|tag=value`. */
export const isFixText = (text: string) => FIX_TEXT.test(text);

/** Reads `tag=value` fields separated by `separator`; a field without `=` has an empty value. */
export function readFixFields(text: string, separator: string): FixField[] {
  return text
    .split(separator)
    .filter((field) => field !== "")
    .map((field) => {
      const at = field.indexOf("=");
      return at === -1 ? [field, ""] : [field.slice(0, at), field.slice(at + 1)];
    });
}

/** Reads a message from the wire. Text that is neither FIX nor JSON is a string. */
export function readMessage(text: string): Message {
  if (text.startsWith("8=FIX")) return { kind: "fix", fields: readFixFields(text, SOH) };
  try {
    return { kind: "json", value: JSON.parse(text) };
  } catch {
    return { kind: "json", value: text };
  }
}

/** Reads the pattern of an `expect`, `on`, `ignore` or `connect`. Throws if it is neither JSON nor FIX fields. */
export function readPattern(text: string): Message {
  if (isFixText(text)) return { kind: "fix", fields: readFixFields(text, "|") };
  return { kind: "json", value: JSON.parse(text) };
}

/**
 * Whether a message has everything that the pattern has. It may have more: other keys, other elements of an array in
 * any order, other FIX fields. The value `*` matches anything that is present.
 */
export function matches(pattern: Message, message: Message): boolean {
  if (pattern.kind === "fix") return message.kind === "fix" && hasFields(message.fields, pattern.fields);
  return message.kind === "json" && hasValue(message.value, pattern.value);
}

function hasFields(fields: readonly FixField[], wanted: readonly FixField[]): boolean {
  const left = [...fields];
  return wanted.every(([tag, value]) => {
    const at = left.findIndex((field) => field[0] === tag && (value === ANY || field[1] === value));
    return at !== -1 && left.splice(at, 1).length === 1;
  });
}

function hasValue(value: unknown, wanted: unknown): boolean {
  if (wanted === ANY) return value !== undefined;
  if (Array.isArray(wanted)) {
    return Array.isArray(value) && wanted.every((element) => value.some((other) => hasValue(other, element)));
  }
  if (typeof wanted !== "object" || wanted === null) return value === wanted;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.entries(wanted).every(([key, element]) => hasValue((value as Record<string, unknown>)[key], element));
}

/** One value of a message: the first field of a FIX tag, or a dotted path into JSON. Undefined if it is not there. */
export function readValue(message: Message, path: string): unknown {
  if (message.kind === "fix") return message.fields.find(([tag]) => tag === path)?.[1];
  return path.split(".").reduce<unknown>((value, key) => {
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  }, message.value);
}

import { FieldError } from "@/features/forms/action-state";
import type { FormReader } from "@/features/forms/form-reader";
import { type AddressReport, EMPTY_KEY, EXPIRY_DAYS, type KeyFormValues } from "@/features/keys/types";
import { AccessError } from "@/lib/access/access-error";
import { parseRangeLines } from "@/lib/access/allow-list";
import type { Key } from "@/lib/access/keys/key";
import {
  checkLabel,
  checkOrigins,
  checkScopes,
  checkSymbols,
  findAdmittingRange,
  listAllowListWarnings,
  MAX_ADDRESSES,
} from "@/lib/access/keys/key-settings";
import { isScope } from "@/lib/access/scopes";
import { isCategory } from "@/lib/access/symbol-list";
import { readTypedNumber } from "@/lib/text/typed-number";
import { parseDay } from "@/lib/time/iso-time";
import { DAY_MS } from "@/lib/time/units";

/** Longer than any valid list of symbols. */
const MAX_SYMBOLS_LENGTH = 4_000;
/** Longer than any valid list of origins. */
const MAX_ORIGINS_LENGTH = 8_000;

/** Reads the form of a key as it was filled in. */
export function readKeyForm(form: FormReader): KeyFormValues {
  return {
    label: form.text("label"),
    kind: form.text("kind") === "tool" ? "tool" : EMPTY_KEY.kind,
    scopes: form.texts("scopes").filter(isScope),
    addresses: form.text("addresses"),
    endpoints: form.texts("endpoints"),
    categories: form.texts("symbolsCategories").filter(isCategory),
    symbols: form.text("symbols", MAX_SYMBOLS_LENGTH),
    origins: form.text("origins", MAX_ORIGINS_LENGTH),
    perMinute: form.text("perMinute"),
    perDay: form.text("perDay"),
    expiry: form.text("expiry"),
    expiryDate: form.text("expiryDate"),
  };
}

/** The form of a key as it is stored. */
export function writeKeyForm(key: Key): KeyFormValues {
  const { label, kind, scopes, allowedCidrs, allowedEndpoints, allowedSymbols, perMinuteLimit, perDayLimit } = key;
  return {
    label,
    kind,
    scopes,
    addresses: allowedCidrs.join("\n"),
    endpoints: allowedEndpoints,
    categories: allowedSymbols.filter(isCategory),
    symbols: allowedSymbols.filter((name) => !isCategory(name)).join(", "),
    origins: key.allowedOrigins.join("\n"),
    perMinute: perMinuteLimit === null ? "" : String(perMinuteLimit),
    perDay: perDayLimit === null ? "" : String(perDayLimit),
    expiry: "keep",
    expiryDate: "",
  };
}

/**
 * Reads the settings of the key. `expiresAtMs` is undefined for "keep". Throws an AccessError or a FieldError for an
 * invalid field.
 */
export function readKeyRequest(form: FormReader, nowMs: number) {
  const { label, kind, scopes, endpoints, addresses: typed, expiry, expiryDate, ...values } = readKeyForm(form);
  checkLabel(label);
  checkScopes(scopes);
  const symbols = checkSymbols([...values.categories, ...values.symbols.split(/[\s,;]+/).filter(Boolean)]);
  const origins = checkOrigins(values.origins.split(/[\s,;]+/).filter(Boolean));
  const [perMinute, perDay] = [readLimit("perMinute", values.perMinute), readLimit("perDay", values.perDay)];
  const { addresses, problems } = readAddressLines(typed);
  if (problems.length > 0) {
    throw new AccessError("invalid_addresses", "Some lines are not addresses or ranges.", problems);
  }
  const expiresAtMs = readExpiry({ expiry, expiryDate }, nowMs);
  if (expiresAtMs === undefined && expiry !== "keep") throw new FieldError("expiry", "Choose a day.");
  return { label, kind, scopes, addresses, endpoints, symbols, origins, perMinute, perDay, expiresAtMs };
}

/** Empty follows the account. */
function readLimit(field: "perMinute" | "perDay", typed: string): number | null {
  if (typed.trim() === "") return null;
  const read = readTypedNumber(typed, { isWhole: true });
  if ("value" in read && Number.isInteger(read.value) && read.value >= 0 && read.value < 1e9) return read.value;
  throw new FieldError(field, "Enter a whole number, or leave it empty.");
}

/** Returns the expiry in UTC milliseconds, null for never, undefined if the form names no valid one. */
export function readExpiry(
  { expiry, expiryDate }: Pick<KeyFormValues, "expiry" | "expiryDate">,
  nowMs: number,
): number | null | undefined {
  if (expiry === "never") return null;
  const days = EXPIRY_DAYS.find((preset) => String(preset) === expiry);
  if (days !== undefined) return nowMs + days * DAY_MS;
  const dayMs = expiry === "date" ? parseDay(expiryDate) : null;
  return dayMs === null ? undefined : dayMs + DAY_MS;
}

/** Longer than any valid allow-list. The rest of a longer text is ignored. */
const MAX_TEXT_LENGTH = 10_000;

/**
 * Reads an allow-list as it was typed. Blank lines are skipped, but counted in the line numbers of problems. `tried` is
 * an address to test against the list.
 */
export function readAddressLines(typed: string, tried = ""): AddressReport & { addresses: string[] } {
  const lines = typed
    .slice(0, MAX_TEXT_LENGTH)
    .split(/\r\n|\r|\n/)
    .map((text, index) => ({ text: text.trim(), line: index + 1 }))
    .filter(({ text }) => text !== "");
  const addresses = lines.map(({ text }) => text);
  const { cidrs, problems: found } = parseRangeLines(addresses);
  const problems = found.map((problem) => ({ ...problem, line: lines[problem.line - 1]?.line ?? problem.line }));
  const verdict = tried.trim() === "" ? null : formatVerdict(cidrs, tried.trim().slice(0, 60));
  return { addresses, problems, warnings: listWarnings(addresses, cidrs), cidrs, verdict };
}

/** Comparing all lines with each other takes long for more lines than a key may have. */
function listWarnings(addresses: readonly string[], cidrs: readonly string[]): string[] {
  if (addresses.length <= MAX_ADDRESSES) return listAllowListWarnings(cidrs);
  return [`A key may have ${MAX_ADDRESSES} addresses and ranges at most; this list has ${addresses.length}.`];
}

function formatVerdict(cidrs: readonly string[], address: string): string {
  const range = findAdmittingRange(cidrs, address);
  if (range === undefined) return `“${address}” is not an address.`;
  if (cidrs.length === 0) return `${address} is allowed: the list is empty.`;
  return range === null ? `${address} is refused: no line includes it.` : `${address} is allowed by ${range}.`;
}

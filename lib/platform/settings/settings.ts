import * as z from "zod";
import { computeEditDistance } from "@/lib/market/edit-distance";

/** The kinds of values that settings have. Each refuses another value with the end of a sentence: "must be …". */

const numberIn = (min: number, max: number, kind = "a number") => {
  const wrong = `must be ${kind} from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d+(\.\d+)?$/, wrong)
    .transform(Number)
    .pipe(z.number().min(min, wrong).max(max, wrong));
};
export const wholeIn = (min: number, max: number) => {
  const kind = "a whole number";
  return numberIn(min, max, kind).pipe(z.number().int(`must be ${kind} from ${min} to ${max}`));
};
export const number = (fallback: number, min: number, max: number) => numberIn(min, max).prefault(String(fallback));
export const whole = (fallback: number, min: number, max: number) => wholeIn(min, max).prefault(String(fallback));
export const choice = <const Choices extends readonly [string, ...string[]]>(...choices: Choices) =>
  z.enum(choices, {
    error: ({ input }) => {
      const nearest = findNearest(String(input), choices);
      const hint = nearest === null ? "" : `; did you mean ${nearest}?`;
      return `must be ${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}${hint}`;
    },
  });
export const address = (protocol: RegExp, example: string) => z.url({ protocol, error: `must be like ${example}` });
export const secret = z.string().min(32, "must have at least 32 characters; `openssl rand -hex 32` prints some");
export const names = z.string().transform((text) =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean),
);

/** Names that are not settings: set by the server for the processes that it starts, or read by one command, by callers or by the tests. */
const OTHER_NAMES = /^SPOTLINE_(PAGES_SOCKET|WRITER_SOCKET|PASSWORD|KEY|REAL_DATA|TEST_\w+)$/;
/** What a source of prices signs in with. Only the sources know which of these names have a use. */
const SOURCE_SECRET = /^SPOTLINE_[A-Z0-9_]+_(TOKEN|KEY|SECRET|PASSWORD|USER|ACCOUNT|CLIENT_ID)$/;
/** What Kubernetes and Docker set for a service that is itself called Spotline. */
const SERVICE_NAMES = /_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_(TCP|UDP)(_|$)/;
const SERVICE_ADDRESS = /^(tcp|udp):\/\//;

/** Describes each variable that looks like a setting and is none: usually one whose name is mistyped. */
export function describeUnknownNames(
  env: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): string[] {
  return Object.keys(env).flatMap((name) => {
    const isForeign = SERVICE_NAMES.test(name) || SERVICE_ADDRESS.test(env[name] ?? "");
    const isOther = OTHER_NAMES.test(name) || SOURCE_SECRET.test(name);
    if (!name.startsWith("SPOTLINE_") || known.includes(name) || isOther || isForeign) return [];
    const nearest = findNearest(name, known);
    return [`${name}: is not a setting; ${nearest === null ? "remove it" : `did you mean ${nearest}?`}`];
  });
}

/** The variables that can only be secrets of sources. */
export function listSourceSecrets(
  env: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): string[] {
  return Object.keys(env).filter(
    (name) => SOURCE_SECRET.test(name) && !known.includes(name) && !OTHER_NAMES.test(name),
  );
}

/** Finds the one of `choices` that `text` is most likely a mistyped form of, or null if none is similar. */
export function findNearest(text: string, choices: readonly string[]): string | null {
  const [word, ...words] = [text, ...choices].map((choice) => choice.toUpperCase().replace(/^SPOTLINE_/, ""));
  const most = Math.max(2, Math.floor((word?.length ?? 0) / 4));
  const distances = words.map((choice) => computeEditDistance(word ?? "", choice, most));
  const least = Math.min(...distances);
  return least > most ? null : (choices[distances.indexOf(least)] ?? null);
}

/** Settings that cannot be used, with a line for each of them, such as "PORT: must be a whole number". */
export function createSettingsError(faults: readonly string[]): Error {
  return new Error(`The configuration is not valid:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
}

import * as z from "zod";
import { findNearest } from "@/lib/platform/settings/setting-names";

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

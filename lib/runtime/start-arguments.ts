import { parseArgs } from "node:util";

/**
 * Reads the arguments of a start, such as `npm start -- --record frames.jsonl`, as the settings that they stand for.
 * Throws an Error with a readable message for any other.
 */
export function readArguments(args: readonly string[]): Readonly<Record<string, string>> {
  let record: string | undefined;
  try {
    ({ record } = parseArgs({ args: [...args], options: { record: { type: "string" } } }).values);
  } catch (error) {
    throw new Error(`${(error as Error).message} The only argument is --record FILE.`);
  }
  if (record === "") throw new Error("--record needs the name of a file.");
  return record === undefined ? {} : { SPOTLINE_RECORD_FRAMES: record };
}

import { UsageError } from "@/cli/command";

/**
 * The password given as an option, in the environment, or on standard input where the option is "-". The last two
 * keep it out of the list of processes, which everybody on the machine can read.
 */
export async function readPassword(option: string | undefined): Promise<string> {
  const given = option ?? process.env["SPOTLINE_PASSWORD"];
  if (given === undefined) throw new UsageError("Give --password, set SPOTLINE_PASSWORD, or pipe it to --password -.");
  if (given !== "-") return given;
  process.stdin.setEncoding("utf8");
  let text = "";
  for await (const chunk of process.stdin) {
    text += String(chunk);
    if (text.includes("\n")) break;
  }
  return text.split(/\r?\n/)[0] ?? "";
}

import { UsageError } from "@/cli/command";

/**
 * Reads the password from the option, the environment, or standard input if the option is "-". The last two do not
 * appear in the process list.
 */
export async function readPassword(option: string | undefined): Promise<string> {
  const password = option ?? process.env["SPOTLINE_PASSWORD"];
  if (password === undefined)
    throw new UsageError("Give --password, set SPOTLINE_PASSWORD, or pipe it to --password -.");
  if (password !== "-") return password;
  process.stdin.setEncoding("utf8");
  let text = "";
  for await (const chunk of process.stdin) {
    text += String(chunk);
    if (text.includes("\n")) break;
  }
  return text.split(/\r?\n/)[0] ?? "";
}

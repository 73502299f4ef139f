import { refuse } from "@/features/session/data-route";
import { isFromOwnOrigin } from "@/features/session/own-origin";
import { readVisitorAddress } from "@/features/session/visitor";
import { followDrawings } from "@/features/symbols/own-alerts";
import { isAccessError } from "@/lib/access/access-error";
import type { Account } from "@/lib/access/accounts/account";
import { DRAWING_LIMITS } from "@/lib/access/drawing";
import type { Runtime } from "@/lib/runtime";

/**
 * Makes the changes of the request's body to the account's drawings of a symbol, which its alerts on lines follow. Answers
 * with all of them afterwards, so that the browser finds what another device has changed: 400 if a change is not valid, 409
 * if there would be too many drawings, 413 if the body is too large, 429 if there were too many changes.
 */
export async function saveOwnDrawings(
  runtime: Pick<Runtime, "alerts" | "drawings" | "config" | "now">,
  account: Account,
  symbol: string,
  request: Request,
): Promise<object> {
  const { drawings, config } = runtime;
  if (!isFromOwnOrigin(request.headers, config.url)) return refuse(403, "This did not come from a page of this site.");
  const text = await request.text();
  if (text.length > DRAWING_LIMITS.body) return refuse(413, "The drawings are too large.");
  let changes: unknown;
  try {
    ({ changes } = JSON.parse(text) as { changes: unknown });
  } catch {
    return refuse(400, "The drawings could not be read.");
  }
  try {
    const saved = await drawings.save(account.id, symbol, changes);
    const by = { kind: "owner", accountId: account.id, address: await readVisitorAddress() } as const;
    const shown = saved.drawings.map(({ drawing }) => drawing);
    await followDrawings(runtime, { by, reader: account }, symbol, shown);
    return saved;
  } catch (error) {
    if (!isAccessError(error)) throw error;
    const status = { invalid_drawing: 400, too_many_drawings: 409 }[error.code as string] ?? 429;
    return refuse(status, error.message);
  }
}

import { refuse } from "@/features/session/data-route";
import { isFromOwnOrigin } from "@/features/session/own-origin";
import { readVisitorAddress } from "@/features/session/visitor";
import type { ChartAlert } from "@/features/symbols/types";
import { type AccessErrorCode, isAccessError } from "@/lib/access/access-error";
import type { Account } from "@/lib/access/accounts/account";
import { conditionSchema } from "@/lib/alerts/conditions";
import type { Runtime } from "@/lib/runtime";

type AlertRuntime = Pick<Runtime, "alerts" | "changeLimits" | "config">;

/** The active alerts on the price of a symbol, for its chart. */
export async function readChartAlerts({ alerts }: Pick<Runtime, "alerts">, { id }: Account, symbol: string) {
  const list = await alerts.list(id);
  return {
    alerts: list.flatMap(({ id: alertId, name, condition, active }): ChartAlert[] =>
      active && condition.type === "price" && condition.symbol === symbol
        ? [{ id: alertId, name, level: condition.level, price: condition.price }]
        : [],
    ),
  };
}

const STATUSES: Partial<Record<AccessErrorCode, number>> = {
  too_many_changes: 429,
  too_many_alerts: 409,
  alert_not_found: 404,
};
const MOST_CHARACTERS = 1_000;

/**
 * Creates an alert at a level, moves one, or deletes one, as the request's body says: `id` is null for a new one, `level`
 * null to delete it. Answers with all of the symbol afterwards. A new alert fires once, when the bid crosses its level.
 */
export async function changeChartAlert(
  runtime: AlertRuntime,
  account: Account,
  symbol: string,
  request: Request,
): Promise<object> {
  const { alerts, changeLimits, config } = runtime;
  if (!isFromOwnOrigin(request.headers, config.url)) return refuse(403, "This did not come from a page of this site.");
  const change = readChange(await request.text());
  if (change === null) return refuse(400, "The change needs an id and a level.");
  const { id, level } = change;
  const address = await readVisitorAddress();
  const caller = { by: { kind: "owner", accountId: account.id, address }, reader: account } as const;
  try {
    await changeLimits.count({ id: account.id, role: account.role, address });
    if (id === null) {
      const condition = conditionSchema.parse({ type: "price", symbol, level, direction: "either", price: "bid" });
      const settings = {
        name: "",
        condition,
        cooldownS: null,
        active: true,
        webhookId: null,
        byMail: false,
        byPush: false,
      };
      await alerts.create(settings, caller);
    } else if (level === null) await alerts.remove(id, caller);
    else {
      const before = await alerts.find(account.id, id);
      if (before?.condition.type !== "price" || before.condition.symbol !== symbol)
        return refuse(404, "No such alert.");
      // A name that was made of the level would be wrong now.
      const isNamed = !before.name.startsWith(`${symbol} ${before.condition.price} `);
      const name = isNamed ? before.name : "";
      await alerts.update(id, { name, condition: { ...before.condition, level } }, caller);
    }
  } catch (error) {
    if (!isAccessError(error)) throw error;
    return refuse(STATUSES[error.code] ?? 400, error.message);
  }
  return readChartAlerts(runtime, account, symbol);
}

function readChange(text: string): { id: string | null; level: number | null } | null {
  if (text.length > MOST_CHARACTERS) return null;
  try {
    const { id, level } = JSON.parse(text) as Record<string, unknown>;
    const isLevel = typeof level === "number" && level > 0 && level <= 1e9;
    if (id === null) return isLevel ? { id, level } : null;
    return typeof id === "string" && (isLevel || level === null) ? { id, level } : null;
  } catch {
    return null;
  }
}

import { refuse } from "@/features/session/data-route";
import { isFromOwnOrigin } from "@/features/session/own-origin";
import { readVisitorAddress } from "@/features/session/visitor";
import type { ChartAlert } from "@/features/symbols/types";
import { type AccessErrorCode, isAccessError } from "@/lib/access/access-error";
import type { Account } from "@/lib/access/accounts/account";
import type { Drawing } from "@/lib/access/drawing";
import { isId } from "@/lib/access/id";
import { type AlertCaller, hasEnded } from "@/lib/alerts/alerts";
import { type Condition, type LineCondition, newConditionSchema, toChartLine } from "@/lib/alerts/conditions";
import type { Runtime } from "@/lib/runtime";
import { parseTime } from "@/lib/time/iso-time";
import { HOUR_MS } from "@/lib/time/units";

type AlertRuntime = Pick<Runtime, "alerts" | "changeLimits" | "config" | "drawings">;

/** The active alerts on levels and lines of a symbol, for its chart. */
export async function readChartAlerts({ alerts }: Pick<Runtime, "alerts">, { id }: Account, symbol: string) {
  const list = await alerts.list(id);
  return {
    alerts: list.flatMap(({ id: alertId, name, condition, active }): ChartAlert[] => {
      const isShown =
        active && (condition.type === "price" || condition.type === "line") && condition.symbol === symbol;
      return isShown ? [{ id: alertId, name, price: condition.price, ...toShape(condition) }] : [];
    }),
  };
}

const KINDS = { none: "trend-line", left: "ray", right: "ray", both: "extended-line" } as const;

function toShape(
  condition: Extract<Condition, { type: "price" | "line" }>,
): Pick<ChartAlert, "kind" | "points" | "drawing"> {
  if (condition.type === "price") return { kind: "horizontal-line", points: [[0, condition.level]], drawing: null };
  const { from, to, extend } = toChartLine(condition);
  const { drawing } = condition;
  if (from[1] === to[1] && extend === "both") return { kind: "horizontal-line", points: [from], drawing };
  return { kind: KINDS[extend], points: extend === "left" ? [to, from] : [from, to], drawing };
}

const STATUSES: Partial<Record<AccessErrorCode, number>> = {
  too_many_changes: 429,
  too_many_alerts: 409,
  alert_not_found: 404,
};
const MOST_CHARACTERS = 1_000;

/**
 * Creates an alert at a level or on a drawn line, moves one, or deletes one, as the request's body says: `id` is null for
 * a new one, `level` null to delete it. Answers with all of the symbol afterwards. A new alert fires once, when the bid
 * crosses its level or line.
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
  if (change === null) return refuse(400, "The change needs an id and a level, or a line.");
  const address = await readVisitorAddress();
  const caller = { by: { kind: "owner", accountId: account.id, address }, reader: account } as const;
  const create = async (condition: object) => {
    const rest = { name: "", cooldownS: null, active: true, webhookId: null, byMail: false, byPush: false };
    await alerts.create({ ...rest, condition: newConditionSchema.parse(condition) }, caller);
  };
  try {
    await changeLimits.count({ id: account.id, role: account.role, address });
    if ("drawing" in change) {
      const condition = await readLine(runtime, account, symbol, change);
      if (typeof condition === "string") return refuse(409, condition);
      await create(condition);
      return await readChartAlerts(runtime, account, symbol);
    }
    const { id, level } = change;
    if (id === null) await create({ type: "price", symbol, level });
    else if (level === null) await alerts.remove(id, caller);
    else {
      const before = await alerts.find(account.id, id);
      if (before?.condition.type !== "price" || before.condition.symbol !== symbol)
        return refuse(404, "No such alert.");
      const name = isNamed(before.name, before.condition) ? before.name : "";
      await alerts.update(id, { name, condition: { ...before.condition, level } }, caller);
    }
  } catch (error) {
    if (!isAccessError(error)) throw error;
    return refuse(STATUSES[error.code] ?? 400, error.message);
  }
  return readChartAlerts(runtime, account, symbol);
}

/** Whether a person has named the alert: a name that was made of the condition is wrong once that has moved. */
function isNamed(name: string, { symbol, price }: { readonly symbol: string; readonly price: string }): boolean {
  return !name.startsWith(`${symbol} ${price} `);
}

/** A drawn line to be watched, as its chart is. */
interface NewLine {
  readonly drawing: string;
  readonly timeframe: string;
  readonly scale: "linear" | "log";
  /** Whether a trend line is watched beyond its end. */
  readonly isExtended: boolean;
}

function readChange(text: string): { id: string | null; level: number | null } | NewLine | null {
  if (text.length > MOST_CHARACTERS) return null;
  try {
    const { id, level, drawing, timeframe, scale, isExtended } = JSON.parse(text) as Record<string, unknown>;
    if (drawing !== undefined) {
      const isLine = id === null && typeof drawing === "string" && isId(drawing) && typeof timeframe === "string";
      return isLine
        ? { drawing, timeframe, scale: scale === "log" ? "log" : "linear", isExtended: isExtended === true }
        : null;
    }
    const isLevel = typeof level === "number" && level > 0 && level <= 1e9;
    if (id === null) return isLevel ? { id, level } : null;
    return typeof id === "string" && (isLevel || level === null) ? { id, level } : null;
  } catch {
    return null;
  }
}

/** The condition of a new alert on a drawing; why there can be none, as a sentence. */
async function readLine(
  { alerts, drawings }: AlertRuntime,
  { id: accountId }: Account,
  symbol: string,
  { drawing: id, timeframe, scale, isExtended }: NewLine,
): Promise<object | string> {
  const stored = (await drawings.read(accountId, symbol)).find(({ drawing }) => drawing.id === id);
  if (stored === undefined) return "The line is not saved yet. Try again in a moment.";
  const line = toLine(stored.drawing, isExtended);
  if (line === null) return "An alert needs a line between two moments, with prices above 0.";
  const isTaken = (await alerts.list(accountId)).some(
    ({ active, condition }) => active && condition.type === "line" && condition.drawing === id,
  );
  if (isTaken) return "The line has an alert already.";
  return { type: "line", symbol, ...line, ...{ timeframe, scale, drawing: id } };
}

/** The line of a drawing; null for other drawings, and for a line that has no level. */
function toLine(
  { kind, points: [one, other] }: Drawing,
  isExtended: boolean,
): Pick<LineCondition, "from" | "to" | "extend"> | null {
  const toPoint = ([ms, price]: readonly [number, number]) => ({ time: new Date(ms).toISOString(), price });
  const isUsable = ([ms, price]: readonly [number, number]) =>
    price > 0 && price <= 1e9 && parseTime(new Date(ms).toISOString()) !== null;
  if (one === undefined || !isUsable(one)) return null;
  if (kind === "horizontal-line") {
    return { from: toPoint(one), to: toPoint([one[0] + HOUR_MS, one[1]]), extend: "both" };
  }
  if (other === undefined || !isUsable(other) || Math.trunc(one[0]) === Math.trunc(other[0])) return null;
  const isForward = one[0] < other[0];
  const [from, to] = isForward ? [toPoint(one), toPoint(other)] : [toPoint(other), toPoint(one)];
  if (kind === "extended-line") return { from, to, extend: "both" };
  if (kind === "ray") return { from, to, extend: isForward ? "right" : "left" };
  return kind === "trend-line" ? { from, to, extend: isExtended ? "right" : "none" } : null;
}

/**
 * Lets the alerts on drawn lines follow the drawings of a symbol, of which these are all. One whose line has moved begins
 * anew; one whose line is gone is deleted, or switched off if it has fired, so that its log stays.
 */
export async function followDrawings(
  { alerts, now }: Pick<Runtime, "alerts" | "now">,
  caller: AlertCaller,
  symbol: string,
  drawings: readonly Drawing[],
): Promise<void> {
  for (const { id, name, condition, active, firings } of await alerts.list(caller.by.accountId)) {
    if (condition.type !== "line" || condition.drawing === null || condition.symbol !== symbol) continue;
    const drawing = drawings.find((each) => each.id === condition.drawing);
    if (drawing === undefined && firings === 0) {
      await alerts.remove(id, caller);
      continue;
    }
    const line = drawing === undefined ? null : toLine(drawing, condition.extend === "right");
    if (line === null) {
      const own = { ...condition, drawing: drawing === undefined ? null : condition.drawing };
      if (active || drawing === undefined) await alerts.update(id, { active: false, condition: own }, caller);
      continue;
    }
    const moved = { ...condition, ...line };
    if (JSON.stringify(moved) === JSON.stringify(condition)) continue;
    const isActive = active && !hasEnded(moved, now());
    const changes = { name: isNamed(name, condition) ? name : "", condition: moved, active: isActive };
    await alerts.update(id, changes, caller).catch((error: unknown) => {
      // A line was moved to where no price comes: its alert waits until it is moved back.
      if (!isActive || !isAccessError(error)) throw error;
      return alerts.update(id, { ...changes, active: false }, caller);
    });
  }
}

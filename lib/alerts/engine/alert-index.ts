import { isEventCondition } from "@/lib/alerts/conditions/condition";
import type { WatchedAlert } from "@/lib/alerts/engine/watched-alert";

/** The active alerts in memory, by what can fire them. */
export class AlertIndex {
  readonly #byId = new Map<string, WatchedAlert>();
  readonly #bySymbol = new Map<string, WatchedAlert[]>();
  readonly #ofEvents = new Map<string, WatchedAlert>();

  /** The alerts on the prices of a symbol; undefined if there are none. */
  findBySymbol(symbol: string): readonly WatchedAlert[] | undefined {
    return this.#bySymbol.get(symbol);
  }

  /** The symbols that have alerts. */
  get symbols(): Iterable<string> {
    return this.#bySymbol.keys();
  }

  get ofEvents(): Iterable<WatchedAlert> {
    return this.#ofEvents.values();
  }

  get all(): Iterable<WatchedAlert> {
    return this.#byId.values();
  }

  get size(): number {
    return this.#byId.size;
  }

  has(alert: WatchedAlert): boolean {
    return this.#byId.get(alert.id) === alert;
  }

  /** Adds an alert, in place of one with the same id. */
  add(alert: WatchedAlert): void {
    const before = this.#byId.get(alert.id);
    if (before !== undefined) {
      alert.continueFrom(before);
      this.remove(alert.id);
    }
    this.#byId.set(alert.id, alert);
    const { condition } = alert;
    if (isEventCondition(condition)) this.#ofEvents.set(alert.id, alert);
    else this.#bySymbol.set(condition.symbol, [...(this.#bySymbol.get(condition.symbol) ?? []), alert]);
  }

  remove(id: string): void {
    const alert = this.#byId.get(id);
    if (alert === undefined) return;
    this.#byId.delete(id);
    this.#ofEvents.delete(id);
    if (isEventCondition(alert.condition)) return;
    const { symbol } = alert.condition;
    const others = this.#bySymbol.get(symbol)?.filter((each) => each !== alert) ?? [];
    if (others.length === 0) this.#bySymbol.delete(symbol);
    else this.#bySymbol.set(symbol, others);
  }

  retain(ids: ReadonlySet<string>): void {
    for (const id of [...this.#byId.keys()]) if (!ids.has(id)) this.remove(id);
  }
}

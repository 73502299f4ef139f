import type * as z from "zod";
import type { Services } from "@/lib/api/engine/services";
import type { ticksReply } from "@/lib/api/history/replies";
import { type Cause, findPart } from "@/lib/history/proof/hour-proofs";
import type { TickRange } from "@/lib/history/ticks/tick-history";
import { type DataMode, getSourceMode } from "@/lib/market/bar";
import { formatTime } from "@/lib/time/iso-time";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

type Origin = NonNullable<z.infer<typeof ticksReply>["data"]["origins"]>[number];

/** How the ticks of a range came. */
export interface TickOrigins {
  /** In the order in which the ticks first have them. */
  readonly origins: readonly Origin[];
  /** The id of each tick's origin, for each part of the range. */
  readonly ids: readonly Uint32Array[];
}

/** Finds what wrote each tick of a range. */
export async function findTickOrigins(
  { symbol, parts }: TickRange,
  { history, origins: modes }: Pick<Services, "history" | "origins">,
): Promise<TickOrigins> {
  const hours = parts.map(({ hour }) => hour.hourMs / HOUR_MS);
  const findOrigins = await history.readOrigins([symbol], hours);
  const known = new Map<string, { readonly origin: Origin; readonly fromMs: number; untilMs: number }>();
  const ids = parts.map(({ hour, from, to }) => {
    const written = findOrigins(symbol, hour.hourMs / HOUR_MS);
    const own = new Uint32Array(to - from);
    for (let i = from; i < to; i++) {
      const second = hour.ticks.seconds[i] as number;
      const { cause, writtenAtMs } = findPart(written, second);
      const timeMs = hour.hourMs + second * SECOND_MS;
      const key = JSON.stringify([cause, writtenAtMs]);
      const found = known.get(key);
      const origin = found?.origin ?? toOrigin(known.size + 1, cause, writtenAtMs);
      if (found === undefined) known.set(key, { origin, fromMs: timeMs, untilMs: timeMs + SECOND_MS });
      else found.untilMs = timeMs + SECOND_MS;
      own[i - from] = origin.id;
    }
    return own;
  });
  const origins = Array.from(known.values(), ({ origin, fromMs, untilMs }) => ({
    ...origin,
    mode: findOriginMode(origin) ?? modes.findMode(symbol, fromMs, untilMs),
  }));
  return { origins, ids };
}

/** The mode that an origin tells itself; null for one that does not. */
function findOriginMode({ kind, source }: Origin): DataMode | null {
  if (kind === "generated") return "simulated";
  return kind === "imported" && source !== undefined ? getSourceMode(source) : null;
}

function toOrigin(id: number, cause: Cause, writtenAtMs: number | null): Origin {
  const common: Origin = {
    ...{ id, kind: cause.kind, mode: "live" },
    written_at: writtenAtMs === null ? null : formatTime(writtenAtMs),
  };
  switch (cause.kind) {
    case "filled": {
      const { source, from, to } = cause;
      return { ...common, source, from: formatTime(Date.parse(from)), to: formatTime(Date.parse(to)) };
    }
    case "imported": {
      const { source, file, sha256, run } = cause;
      return { ...common, source, file, sha256, import: run };
    }
    case "undone":
      return { ...common, import: cause.run };
    case "removed":
      return { ...common, source: cause.source };
    case "merged":
    case "moved":
      return { ...common, symbol: cause.symbol };
    default:
      return common;
  }
}

import { formatFixTime } from "@/e2e/venues/kit/fix-text";
import { type Message, readValue } from "@/e2e/venues/kit/messages";
import { deriveSeed, drawUniform } from "@/lib/feeds/simulated/noise";
import { SECOND_MS } from "@/lib/time/units";

const VARIABLE = /\$(in\.\w+(?:\.\w+)*|[a-z]+)/g;

const NAMES = new Set(["now", "seconds", "iso", "fixtime", "date", "clock", "seq", "price", "bid", "ask"]);

/** Returns the first variable of a text that does not exist; undefined if all do. */
export function findUnknownVariable(text: string): string | undefined {
  for (const [variable, name = ""] of text.matchAll(VARIABLE)) {
    if (!name.startsWith("in.") && !NAMES.has(name)) return variable;
  }
  return undefined;
}

/** Replaces every variable by a digit, so that a text can be checked before it is played. */
export const blankVariables = (text: string) => text.replace(VARIABLE, "0");

export interface VariablesOptions {
  /** Names the random walk of `$price`. */
  readonly seed: string;
  /** The venue's clock: UTC milliseconds. */
  readonly now: () => number;
}

/** The variables of one connection. */
export interface Variables {
  /** Starts the walk of `$price`, `$bid` and `$ask` at a price with as many decimals as `start` has. */
  setPrice(start: string, spread: number): void;
  /** Fills in a text. `message` is what `$in.path` reads. Each text that has a price moves the walk by one step. */
  fill(text: string, message: Message | undefined): string;
}

/** The furthest that one text moves the price, in units of its last decimal. */
const MAX_STEP = 5;

export function createVariables({ seed, now }: VariablesOptions): Variables {
  const walkSeed = deriveSeed(seed, "price");
  let [sequence, step] = [0, 0];
  let walk = { units: 110_000, decimals: 5, spread: 0.0001 };

  const write = (price: number) => price.toFixed(walk.decimals);
  const price = () => walk.units / 10 ** walk.decimals;

  function read(name: string, message: Message | undefined): string {
    if (name.startsWith("in.")) {
      const value = message && readValue(message, name.slice(3));
      return typeof value === "string" ? value : JSON.stringify(value ?? null);
    }
    if (name === "now") return String(now());
    if (name === "seconds") return String(Math.floor(now() / SECOND_MS));
    if (name === "iso") return new Date(now()).toISOString();
    if (name === "fixtime") return formatFixTime(now());
    if (name === "date") return formatFixTime(now()).slice(0, 8);
    if (name === "clock") return formatFixTime(now()).slice(9);
    if (name === "seq") return String(++sequence);
    return write(name === "ask" ? price() + walk.spread : price());
  }

  return {
    setPrice(start, spread) {
      const decimals = start.split(".")[1]?.length ?? 0;
      walk = { units: Math.round(Number(start) * 10 ** decimals), decimals, spread };
    },
    fill(text, message) {
      const filled = text.replace(VARIABLE, (_, name: string) => read(name, message));
      if (/\$(price|bid|ask)\b/.test(text)) {
        const draw = drawUniform(walkSeed, step++, 0);
        walk.units = Math.max(1, walk.units + Math.round((draw * 2 - 1) * MAX_STEP));
      }
      return filled;
    },
  };
}

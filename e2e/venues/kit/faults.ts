import { deriveSeed, drawUniform } from "@/lib/feeds/simulated/noise";

/** The first `connections` connections break after `afterMessages` messages each. */
interface Break {
  readonly connections: number;
  readonly afterMessages: number;
}

/** What goes wrong between a venue and its client. Shares are from 0 to 1. The same seed does the same to each message. */
export interface FaultOptions {
  readonly seed?: string;
  /** Splits every message, after each byte or at drawn places. A WebSocket message becomes fragments. */
  readonly split?: "every byte" | "random";
  /** The share of messages that are written together with the next one. */
  readonly join?: number;
  /** The longest delay of a message, in milliseconds. Later messages wait behind it. */
  readonly delayMs?: number;
  /** The share of messages that are lost. */
  readonly drop?: number;
  /** The share of messages that are sent twice. */
  readonly duplicate?: number;
  /** The share of messages that come after the next one. */
  readonly reorder?: number;
  /** The share of messages before which a damaged copy is sent. */
  readonly garbage?: number;
  /** The venue stops sending and answering, but the connection remains open. */
  readonly halfOpen?: Break;
  /** The venue resets the connection: a storm of reconnects, if there are many. */
  readonly cut?: Break;
  /** Multiplies every `repeat` of a scenario and leaves out the waits in it. */
  readonly burst?: number;
  /** How far the venue's clock is ahead, in milliseconds. */
  readonly skewMs?: number;
}

/** Messages to write at once, after a delay. */
export interface Delivery {
  readonly messages: readonly Buffer[];
  readonly delayMs: number;
}

/** The faults of one connection. */
export interface Faults {
  /** What is sent in place of a message. */
  plan(message: Buffer): Delivery[];
  /** What earlier messages still wait for, once the venue has nothing more to send for now. */
  flush(): Delivery[];
  /** Where a write is split: the pieces, in order. */
  split(bytes: Buffer): Buffer[];
  /** How the connection breaks once this message was sent. */
  breakAfter(sentMessages: number): "half-open" | "cut" | null;
}

/** Numbers the draws of one message. */
const DRAWS = { drop: 1, duplicate: 2, garbage: 3, reorder: 4, join: 5, delay: 6, damage: 7 } as const;
const LONGEST_PIECE = 16;
const DAMAGE = "#".charCodeAt(0);

/** `connection` counts from 1; each connection has its own draws. */
export function createFaults(options: FaultOptions, connection: number): Faults {
  const seed = deriveSeed(options.seed ?? "faults", `connection ${connection}`);
  const splitSeed = deriveSeed(options.seed ?? "faults", `split ${connection}`);
  let [planned, splits] = [0, 0];
  let late: Buffer[] = [];
  let joined: Buffer[] = [];

  const draw = (what: keyof typeof DRAWS) => drawUniform(seed, planned, DRAWS[what]);
  function happens(what: "drop" | "duplicate" | "garbage" | "reorder" | "join"): boolean {
    const share = options[what] ?? 0;
    return share > 0 && draw(what) < share;
  }
  const deliver = (messages: readonly Buffer[]): Delivery => ({
    messages,
    delayMs: Math.round(draw("delay") * (options.delayMs ?? 0)),
  });

  function damage(message: Buffer): Buffer {
    const damaged = Buffer.from(message);
    const from = Math.floor(message.length * (0.2 + 0.4 * draw("damage")));
    return damaged.fill(DAMAGE, from, from + Math.ceil(message.length / 5));
  }

  function take(): Buffer[] {
    const taken = [...joined, ...late];
    [joined, late] = [[], []];
    return taken;
  }

  return {
    plan(message) {
      planned++;
      if (happens("drop")) return [];
      const messages = [message];
      if (happens("duplicate")) messages.push(message);
      if (happens("garbage")) messages.unshift(damage(message));
      if (late.length === 0 && happens("reorder")) {
        late = messages;
        return [];
      }
      messages.push(...late);
      late = [];
      if (happens("join")) {
        joined.push(...messages);
        return [];
      }
      if (joined.length === 0) return messages.map((single) => deliver([single]));
      messages.unshift(...joined);
      joined = [];
      return [deliver(messages)];
    },
    flush() {
      const messages = take();
      return messages.length === 0 ? [] : [deliver(messages)];
    },
    split(bytes) {
      if (options.split === undefined) return [bytes];
      const length = () => 1 + Math.floor(drawUniform(splitSeed, splits++, 0) * LONGEST_PIECE);
      return cutInto(bytes, options.split === "random" ? length : () => 1);
    },
    breakAfter(sentMessages) {
      const breaks = (at: Break | undefined) =>
        at !== undefined && connection <= at.connections && sentMessages >= at.afterMessages;
      if (breaks(options.cut)) return "cut";
      return breaks(options.halfOpen) ? "half-open" : null;
    },
  };
}

/** Splits bytes into pieces of the lengths that `nextLength` returns; the last may be shorter. */
export function cutInto(bytes: Buffer, nextLength: () => number): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = nextLength();
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}

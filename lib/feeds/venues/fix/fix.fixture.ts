import { expect } from "vitest";
import { openTestConnection } from "@/lib/feeds/live/connection.fixture";
import { FixProtocol, type FixRequest, PROFILES } from "@/lib/feeds/venues/fix/fix-feed";
import { type FixMessage, FixReader, formatFixTime, TAG, TYPE } from "@/lib/feeds/venues/fix/messages";
import { FixSession } from "@/lib/feeds/venues/fix/session";
import { SECOND_MS } from "@/lib/time/units";

/**
 * Completes `35=W|55=1|…` to the bytes of a message: BeginString, BodyLength and CheckSum are added unless the text has
 * its own. `|` ends a field.
 */
export function encode(text: string): Buffer {
  const fields = text.split("|").filter((field) => field !== "");
  const take = (tag: string) => fields.find((field) => field.startsWith(`${tag}=`));
  const [begin = "8=FIX.4.4", length, checksum] = [take("8"), take("9"), take("10")];
  const body = join(fields.filter((field) => ![begin, length, checksum].includes(field)));
  const head = join([begin, length ?? `9=${Buffer.byteLength(body)}`]);
  let sum = 0;
  for (const byte of Buffer.from(head + body)) sum += byte;
  return Buffer.from(head + body + join([checksum ?? `10=${String(sum % 256).padStart(3, "0")}`]));
}

const join = (fields: readonly string[]) => fields.map((field) => `${field}\x01`).join("");

/** Reads bytes in the given pieces. Returns each message as `35=W|55=1`, and how many were left out. */
export function decode(...pieces: readonly Buffer[]): { messages: string[]; garbled: number } {
  const reader = new FixReader();
  const messages: string[] = [];
  for (const piece of pieces) reader.read(piece, (message) => messages.push(format(message)));
  return { messages, garbled: reader.garbled };
}

/** `35=W|55=1` */
export function format(message: FixMessage): string {
  return Array.from({ length: message.count }, (_, at) => `${message.tagAt(at)}=${message.valueAt(at)}`).join("|");
}

export const START_MS = Date.UTC(2026, 10, 22, 0, 50);

/** A connection of a profile to a venue that the test plays. Its messages are numbered and dated unless the test does so. */
export function openFix(profile: keyof typeof PROFILES, symbols: readonly string[], own: Partial<FixRequest> = {}) {
  const request: FixRequest = {
    ...{ ...PROFILES[profile], senderCompId: "SPOTLINE", targetCompId: "VENUE", user: "demo", password: "secret" },
    ...{ symbols, ...own },
  };
  let nowMs = START_MS;
  let number = 1;
  const connection = openTestConnection((each) => new FixProtocol(each, request), START_MS);
  connection.protocol.opened();

  function send(text: string): void {
    const given = /(?:^|\|)34=(\d+)/.exec(text)?.[1];
    const dated = /(?:^|\|)52=/.test(text) ? "" : `|52=${formatFixTime(nowMs)}`;
    const numbered = given === undefined ? `|34=${number}` : "";
    if (!text.includes("|43=Y")) number = Number(given ?? number) + 1;
    connection.protocol.received(encode(`${text}|49=VENUE|56=SPOTLINE${numbered}${dated}`));
  }

  return {
    ...connection,
    /** What the client has sent since the last call, without its header. */
    takeSent: () =>
      connection.sent.splice(0).flatMap((text) => {
        const [message = ""] = decode(Buffer.from(text)).messages;
        return message.replace(/\|(49|56|34|52|50|57|122)=[^|]*/g, "");
      }),
    send,
    logOn: () => send("35=A|98=0|108=30|141=Y"),
    pass(ms: number) {
      nowMs += ms;
      connection.pass(ms);
    },
  };
}

/** Returns what `work` throws. */
export function catchError(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

const SCRIPT_START_MS = Date.UTC(2026, 10, 22, 12);
const LONGEST_WAIT_MS = 60 * SECOND_MS;
/** Fields that are computed: lengths, checksums and times. */
const COMPUTED: ReadonlySet<string> = new Set(["9", "10", "52", "60", "122"]);
/** Fields of the header, which an echo of a message does not repeat. */
const HEADER: ReadonlySet<number> = new Set([35, 34, 43, 49, 52, 56, 122]);
const PARTIES = { senderCompId: "ISLD", targetCompId: "TW44", senderSubId: "", targetSubId: "" };

/**
 * Plays a script against a session: `iCONNECT` and `iDISCONNECT` of the other side, `I` and a message of it, `E` and the
 * answer that it expects, `eDISCONNECT`. The session answers a logon, and sends orders (D) and definitions (d) back.
 */
export function playScript(script: string): void {
  let nowMs = SCRIPT_START_MS;
  let side = openSide(() => nowMs);

  function waitUntil(isDone: () => boolean): void {
    for (const endMs = nowMs + LONGEST_WAIT_MS; !isDone() && nowMs < endMs; nowMs += SECOND_MS / 2) side.tick();
  }

  for (const line of script.split(/\r?\n/)) {
    const place = `in the line ${line.replaceAll("\x01", "|")}`;
    if (line === "iCONNECT") side = openSide(() => nowMs);
    else if (line.startsWith("I")) side.receive(encode(fillTimes(line.slice(1), nowMs)));
    else if (line.startsWith("E")) {
      waitUntil(() => side.sent.length > 0);
      expect(normalise(side.sent.shift() ?? "nothing"), place).toEqual(normalise(line.slice(1)));
    } else if (line === "eDISCONNECT") {
      waitUntil(() => side.hasEnded());
      expect([side.hasEnded(), side.sent], place).toEqual([true, []]);
    }
  }
}

function openSide(now: () => number) {
  const sent: string[] = [];
  let hasEnded = false;
  const reader = new FixReader();
  const session: FixSession = new FixSession(
    PARTIES,
    {
      send: (bytes) => sent.push(...decode(bytes).messages.map((message) => `8=FIX.4.4|${message}`)),
      loggedOn: (logon) => {
        session.send(TYPE.logon, [
          [TAG.encryptMethod, 0],
          [TAG.heartBtInt, logon.get(TAG.heartBtInt) ?? ""],
        ]);
      },
      received(message) {
        if (message.type !== "D" && message.type !== "d") return;
        const body = format(message).split("|");
        const fields = body.map((field) => [Number(field.split("=")[0]), field.split("=")[1] ?? ""] as const);
        session.send(
          message.type,
          fields.filter(([tag]) => !HEADER.has(tag)),
        );
      },
      lost: () => {},
    },
    now,
  );

  function guard(work: () => void): void {
    if (hasEnded) return;
    try {
      work();
    } catch {
      hasEnded = true;
    }
  }

  return {
    sent,
    hasEnded: () => hasEnded,
    tick: () => guard(() => session.tick()),
    receive: (bytes: Buffer) => guard(() => reader.read(bytes, (message) => session.receive(message))),
  };
}

/** Fills in `<TIME>`, `<TIME+10>` and `<TIME-1>`. */
function fillTimes(text: string, nowMs: number): string {
  const filled = text.replace(/<TIME([+-]\d+)?>/g, (_, seconds = "0") =>
    formatFixTime(nowMs + Number(seconds) * SECOND_MS).slice(0, 17),
  );
  return filled.replaceAll("\x01", "|");
}

/** The fields in one order, without the values of computed ones. */
function normalise(text: string): string[] {
  const fields = text.replaceAll("\x01", "|").split("|");
  const kept = fields.filter((field) => field !== "" && !/^(9|10)=/.test(field));
  return kept.map((field) => (COMPUTED.has(field.split("=")[0] ?? "") ? field.split("=")[0] : field) ?? "").sort();
}

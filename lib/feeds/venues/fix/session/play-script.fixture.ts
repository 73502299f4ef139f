import { expect } from "vitest";
import { decode, encode, format } from "@/lib/feeds/venues/fix/fix.fixture";
import { FixReader } from "@/lib/feeds/venues/fix/messages/fix-reader";
import { formatFixTime } from "@/lib/feeds/venues/fix/messages/fix-time";
import { TAG, TYPE } from "@/lib/feeds/venues/fix/messages/tags";
import { FixSession } from "@/lib/feeds/venues/fix/session/fix-session";
import { SECOND_MS } from "@/lib/time/units";

const START_MS = Date.UTC(2026, 10, 22, 12);
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
  let nowMs = START_MS;
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

import { openTestConnection } from "@/lib/feeds/live/connection.fixture";
import { FixProtocol, type FixRequest } from "@/lib/feeds/venues/fix/fix-protocol";
import { decode, encode } from "@/lib/feeds/venues/fix/fix.fixture";
import { formatFixTime } from "@/lib/feeds/venues/fix/messages/fix-time";
import { PROFILES } from "@/lib/feeds/venues/fix/profiles";

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

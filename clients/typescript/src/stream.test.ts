import { describe, expect, test } from "vitest";
import { ApiError, type PriceUpdate, Spotline, type StreamOptions } from "./index.js";

const quote = (symbol: string, bid: number) =>
  `event: quote\ndata: ${JSON.stringify({ symbol, bid, ask: bid, timestamp: "2026-01-05T00:00:00.000Z" })}\n\n`;
const withId = (id: string, event: string) => `id: ${id}\n${event}`;
const snapshot = (id: string, ...symbols: string[]) =>
  withId(
    id,
    `event: snapshot\ndata: ${JSON.stringify({
      quotes: symbols.map((symbol) => ({ symbol, bid: 1, ask: 1 })),
      states: symbols.map((symbol) => ({ symbol, state: "live", data_mode: "live" })),
    })}\n\n`,
  );
const end = (code: string) =>
  `retry: 1\nevent: end\ndata: ${JSON.stringify({ success: false, error: { code, message: "Over." } })}\n\n`;

/** A stream whose connections send these texts, each in pieces of a few bytes, and then end. */
function open(connections: readonly (string | Response)[], rest: StreamOptions = {}) {
  const positions: (string | undefined)[] = [];
  const targets: string[] = [];
  const answer = (url: string, { headers }: { headers: Record<string, string> }) => {
    positions.push(headers["Last-Event-ID"]);
    targets.push(url.replace("https://prices.test", ""));
    const text = connections[positions.length - 1] ?? end("API_KEY_DISABLED");
    return Promise.resolve(text instanceof Response ? text : new Response(cutUp(`retry: 1\n\n${text}`)));
  };
  const client = new Spotline({
    url: "https://prices.test",
    fetch: answer as unknown as typeof fetch,
    retry: { baseMs: 1 },
  });
  return { stream: client.stream(rest), positions, targets };
}

function cutUp(text: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.slice(at, (at += 7)));
      else controller.close();
    },
  });
}

/** Reads until the stream ends; returns the updates and why it ended. */
async function readAll(stream: AsyncIterable<PriceUpdate>) {
  const updates: PriceUpdate[] = [];
  try {
    for await (const update of stream) updates.push(update);
  } catch (error) {
    return { updates, error };
  }
  return { updates, error: null };
}

describe("A replay", () => {
  // The checksum was computed with Python's zlib.
  const past = snapshot("past-1-a", "EURUSD") + withId("past-2-a", quote("EURUSD", 2));
  const sum = { time: "2026-01-05T00:00:02+00:00", changes: 1, crc32: "b35a8725" };
  const tell = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  const beat = tell("heartbeat", { time: "2026-01-05T00:00:00.000Z" });

  test("ends at its end, with everything that was sent", async () => {
    const { stream, targets } = open([tell("replay", {}) + past + beat + tell("done", sum)], {
      ...{ symbols: ["EURUSD"], from: new Date(0), to: "1970-01-02", speed: 60, resolution: "tick" },
    });
    const { updates, error } = await readAll(stream);
    expect([updates.map(({ type }) => type), error]).toEqual([["snapshot", "changes"], null]);
    expect(stream.replayed).toEqual(sum);
    expect(targets).toEqual([
      "/v1/stream?symbols=EURUSD&from=1970-01-01T00%3A00%3A00.000Z&to=1970-01-02&speed=60&resolution=tick",
    ]);
  });

  test("continues live, and after a lost connection where it was", async () => {
    const cut = tell("replay", {}) + snapshot("past-1-a", "EURUSD") + quote("EURUSD", 2);
    const gap = tell("gap", { source: "one", from: "a", to: "b", reason: "paused" });
    const rest =
      tell("replay", {}) + past + tell("live", sum) + tell("skipped", { changes: 3 }) + withId("e-1-a-2", gap);
    const { stream, positions } = open([cut, rest], { from: 0 });
    const { updates, error } = await readAll(stream);
    expect(positions.slice(0, 3)).toEqual([undefined, "past-1-a", "e-1-a-2"]);
    expect(updates.at(-1)).toMatchObject({ skipped: 3, gaps: [{ source: "one", reason: "paused" }] });
    expect(stream.replayed).toEqual(sum);
    expect(error).toMatchObject({ code: "API_KEY_DISABLED" });
  });

  test.each([{ changes: 2 }, { crc32: "00000000" }])("is refused if something is missing: %o", async (wrong) => {
    const { stream } = open([tell("replay", {}) + past + tell("done", { ...sum, ...wrong })], { from: 0 });
    expect((await readAll(stream)).error).toMatchObject({ name: "ReplayError" });
  });
});

describe("A stream", () => {
  test("applies what is sent together at once, and continues from the last position", async () => {
    const { stream, positions } = open([
      snapshot("a-1", "EURUSD", "GBPUSD") + quote("EURUSD", 2) + withId("a-2", quote("GBPUSD", 3)) + quote("EURUSD", 9),
      quote("EURUSD", 4) + withId("a-4", quote("GBPUSD", 5)),
    ]);
    const { updates, error } = await readAll(stream);
    expect(positions).toEqual([undefined, "a-2", "a-4"]);
    expect(updates.map(({ type, quotes }) => [type, ...quotes.map(({ bid }) => bid)])).toEqual([
      ["snapshot", 1, 1],
      ["changes", 2, 3],
      ["changes", 4, 5],
    ]);
    expect([...stream.quotes.values()].map(({ bid }) => bid)).toEqual([4, 5]);
    expect(error).toMatchObject({ code: "API_KEY_DISABLED", message: "Over.", status: null });
    expect(stream.connected).toBe(false);
  });

  test("has sources, bars and releases as its options ask", async () => {
    const state = (source: string, name: string) =>
      `event: state\ndata: ${JSON.stringify({ symbol: "EURUSD", source, state: name, data_mode: "live" })}\n\n`;
    const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
    const { stream, targets } = open(
      [
        withId("a-1", event("snapshot", { quotes: [], states: [] })) +
          event("quote", { symbol: "EURUSD", source: "one", bid: 1 }) +
          event("quote", { symbol: "EURUSD", source: "two", bid: 2 }) +
          withId("a-2", event("bar", { symbol: "EURUSD", close: 2 })) +
          state("one", "none") +
          withId("a-3", event("release", { id: "cpi", actual: "2.0" })),
      ],
      { symbols: ["EURUSD"], fields: ["bid"], sources: "all", bars: "1s", events: ["high", "USD"] },
    );
    const { updates } = await readAll(stream);
    expect(targets[0]).toBe("/v1/stream?symbols=EURUSD&fields=bid&sources=all&bars=1s&events=high,USD");
    expect(updates.map(({ bars, releases }) => [bars.length, releases.length])).toEqual([
      [0, 0],
      [1, 0],
      [0, 1],
    ]);
    expect([...stream.quotes.keys()]).toEqual(["EURUSD two"]);
  });

  test("replaces everything by a new snapshot, and removes what has no quote any more", async () => {
    const gone = `event: state\ndata: {"symbol":"USDJPY","state":"none","data_mode":null}\n\n`;
    const { stream } = open([snapshot("a-1", "EURUSD"), snapshot("b-1", "GBPUSD", "USDJPY") + withId("b-2", gone)]);
    await readAll(stream);
    expect([...stream.quotes.keys()]).toEqual(["GBPUSD"]);
    expect(stream.states.get("USDJPY")?.state).toBe("none");
  });

  test("comes back after a stop of the server, and after refusals that pass", async () => {
    const busy = Response.json(
      { success: false, error: { code: "TOO_MANY_STREAMS", message: "" } },
      { status: 429, headers: { "Retry-After": "0" } },
    );
    const lost: string[] = [];
    const onDisconnect = (reason: Error) => lost.push(reason instanceof ApiError ? reason.code : reason.name);
    const { stream, positions } = open([snapshot("a-1", "EURUSD") + end("SERVICE_UNAVAILABLE"), busy, ""], {
      onDisconnect,
    });
    await readAll(stream);
    expect(positions).toHaveLength(4);
    expect(lost).toEqual(["SERVICE_UNAVAILABLE", "TOO_MANY_STREAMS", "ConnectionError"]);
  });

  test("ends with the reason of a refusal that does not pass", async () => {
    const refused = Response.json(
      { success: false, error: { code: "PLAN_UPGRADE_REQUIRED", message: "", limit: 5 } },
      { status: 403 },
    );
    expect((await readAll(open([refused]).stream)).error).toMatchObject({ status: 403, fields: { limit: 5 } });
  });

  test("counts a silent connection as lost", async () => {
    const silent = new Response(new ReadableStream());
    const { stream, positions } = open([silent], { idleMs: 5 });
    await readAll(stream);
    expect(positions).toHaveLength(2);
  });

  test("ends quietly when it is closed or left, and with the reason of an aborted signal", async () => {
    const left = open([snapshot("a-1", "EURUSD")]);
    for await (const { type } of left.stream) if (type === "snapshot") break;
    expect(left.positions).toHaveLength(1);

    const closed = open([snapshot("a-1", "EURUSD")]);
    for await (const { type } of closed.stream) if (type === "snapshot") closed.stream.close();
    expect(closed.positions).toHaveLength(1);

    const controller = new AbortController();
    const aborted = open([snapshot("a-1", "EURUSD")], { signal: controller.signal });
    const reading = (async () => {
      for await (const { type } of aborted.stream) controller.abort(new Error(type));
    })();
    await expect(reading).rejects.toThrow("snapshot");
  });
});

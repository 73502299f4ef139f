import { describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { createFaults, type FaultOptions } from "@/e2e/venues/kit/faults";
import { matches, readMessage, readPattern } from "@/e2e/venues/kit/messages";
import { connectWebSocket, open } from "@/e2e/venues/kit/testing.fixture";

/** What no test of a connector would notice: a venue whose faults do nothing, or that accepts whatever a client sends. */

const MESSAGES = Array.from({ length: 400 }, (_, at) => `message ${at};`);

/** The writes of 400 messages and a flush, each as text. */
function write(options: FaultOptions, connection = 1): string[] {
  const faults = createFaults(options, connection);
  const deliveries = [...MESSAGES.flatMap((text) => faults.plan(Buffer.from(text))), ...faults.flush()];
  return deliveries.map(({ messages }) => Buffer.concat(messages).toString());
}

/** The messages of writes in order, whatever was joined. */
const listMessages = (writes: readonly string[]) => writes.join("").match(/[^;]+;/g) ?? [];

describe("faults", () => {
  test("without options change nothing", () => {
    expect(write({})).toEqual(MESSAGES);
    expect(createFaults({}, 1).split(Buffer.from("whole"))).toEqual([Buffer.from("whole")]);
  });

  test("are the same with each run of a seed, and others with another seed or connection", () => {
    const options = { seed: "a", drop: 0.1, duplicate: 0.1, reorder: 0.1, garbage: 0.1, join: 0.3 };
    expect(write(options)).toEqual(write(options));
    expect(write({ ...options, seed: "b" })).not.toEqual(write(options));
    expect(write(options, 2)).not.toEqual(write(options));
  });

  test("drop the share that they should", () => {
    const left = write({ drop: 0.25 });
    expect(left.length).toBeGreaterThan(260);
    expect(left.length).toBeLessThan(340);
    expect(MESSAGES).toEqual(expect.arrayContaining(left));
  });

  test("send duplicates right after their originals", () => {
    const sent = write({ duplicate: 0.5 });
    expect(sent.length).toBeGreaterThan(500);
    expect(sent.filter((text, at) => text !== sent[at - 1])).toEqual(MESSAGES);
  });

  test("send late messages after the next one, and lose none", () => {
    const sent = write({ reorder: 0.5 });
    expect(sent).not.toEqual(MESSAGES);
    expect([...sent].sort()).toEqual([...MESSAGES].sort());
    for (const [at, text] of MESSAGES.entries()) expect(Math.abs(sent.indexOf(text) - at)).toBeLessThanOrEqual(1);
  });

  test("join messages in one write, in order", () => {
    const writes = write({ join: 0.5 });
    expect(writes.length).toBeLessThan(300);
    expect(listMessages(writes)).toEqual(MESSAGES);
  });

  test("put damaged copies of the same length before their messages", () => {
    const sent = write({ garbage: 0.5 });
    const damaged = sent.filter((text) => text.includes("#"));
    expect(damaged.length).toBeGreaterThan(150);
    expect(sent.filter((text) => !text.includes("#"))).toEqual(MESSAGES);
    expect(damaged.every((text) => text.startsWith("me") && text.endsWith(";"))).toBe(true);
  });

  test("lose nothing where messages are late, joined and doubled at once", () => {
    const sent = listMessages(write({ reorder: 0.3, join: 0.3, duplicate: 0.3 }));
    expect([...new Set(sent)].sort()).toEqual([...MESSAGES].sort());
  });

  test("delay within their limit", () => {
    const faults = createFaults({ delayMs: 40 }, 1);
    const delays = MESSAGES.flatMap((text) => faults.plan(Buffer.from(text))).map(({ delayMs }) => delayMs);
    expect(Math.max(...delays)).toBeLessThanOrEqual(40);
    expect(Math.max(...delays)).toBeGreaterThan(30);
    expect(Math.min(...delays)).toBeLessThan(10);
  });

  test("split after each byte or at drawn places, inside characters too", () => {
    const bytes = Buffer.from("é".repeat(100));
    const single = createFaults({ split: "every byte" }, 1).split(bytes);
    expect(single).toHaveLength(200);
    const drawn = createFaults({ split: "random" }, 1).split(bytes);
    expect(new Set(drawn.map(({ length }) => length)).size).toBeGreaterThan(5);
    expect(Buffer.concat(drawn)).toEqual(bytes);
    expect(Buffer.concat(single)).toEqual(bytes);
  });

  test("break only the first connections, after their messages", () => {
    const options = { cut: { connections: 2, afterMessages: 3 }, halfOpen: { connections: 3, afterMessages: 1 } };
    const breaks = [1, 2, 3, 4].map((connection) => {
      const { breakAfter } = createFaults(options, connection);
      return [0, 1, 2, 3].map((sent) => breakAfter(sent));
    });
    expect(breaks).toEqual([
      [null, "half-open", "half-open", "cut"],
      [null, "half-open", "half-open", "cut"],
      [null, "half-open", "half-open", "half-open"],
      [null, null, null, null],
    ]);
  });
});

describe("a venue", () => {
  test("reports what the client should not have sent, and what it never sent, with lines", async () => {
    const venue = await open({ transport: "websocket", scenario: 'expect {"a":1}\nexpect {"b":2}\nconnect\nsend {}' });
    const { socket } = await connectWebSocket(venue.url);
    socket.send('{"a":2}');
    socket.send('{"a":1}');
    await vi.waitFor(() => expect(venue.received).toHaveLength(2), { timeout: 10_000 });
    await expect(venue.finished(0)).rejects.toThrow('line 2: the client has not sent {"b":2}');
    await venue.close();
    expect(venue.violations).toEqual([
      'line 1: expected {"a":1}, but the client sent {"a":2}',
      'line 2: the client has not sent {"b":2}',
      "line 3: the client has not connected",
    ]);
  });

  test("that is half-open sends nothing more and does not close", async () => {
    const scenario = "send 1\nsend 2\nsend 3\nclose";
    const venue = await open({
      transport: "websocket",
      scenario,
      faults: { halfOpen: { connections: 1, afterMessages: 2 } },
    });
    const first = await connectWebSocket(venue.url);
    const second = await connectWebSocket(venue.url);
    await second.closed;
    expect(second.messages).toEqual(["1", "2", "3"]);
    await vi.waitFor(() => expect(first.messages).toEqual(["1", "2"]), { timeout: 10_000 });
    expect(first.socket.readyState).toBe(WebSocket.OPEN);
  });
});

describe("a pattern", () => {
  test.each([
    ['{"a":1}', '{"a":1,"b":2}', true],
    ['{"a":{"b":"x"}}', '{"a":{"b":"x","c":[]}}', true],
    ['{"symbols":["B"]}', '{"symbols":["A","B"]}', true],
    ['{"symbols":["A","C"]}', '{"symbols":["A","B"]}', false],
    ['{"a":"*"}', '{"a":null}', true],
    ['{"a":"*"}', "{}", false],
    ['{"a":1}', '{"a":"1"}', false],
    ['{"a":{}}', '{"a":null}', false],
    ['{"a":{}}', '{"a":[]}', false],
    ['"hello"', "hello", true],
    ['{"a":1}', "8=FIX.4.4\x0135=A\x01", false],
    ["35=A|108=30", "8=FIX.4.4\x0135=A\x01108=30\x01", true],
    ["35=V|269=0|269=1", "8=FIX.4.4\x0135=V\x01269=1\x01269=0\x01", true],
    ["35=V|269=0|269=0", "8=FIX.4.4\x0135=V\x01269=0\x01", false],
    ["35=A|553=*", "8=FIX.4.4\x0135=A\x01553=demo\x01", true],
    ["35=A", '{"a":1}', false],
  ])("%s against %j matches: %s", (pattern, message, isMatch) => {
    expect(matches(readPattern(pattern), readMessage(message))).toBe(isMatch);
  });
});

import { describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { connectWebSocket, open } from "@/e2e/venues/kit/testing.fixture";

describe("a WebSocket venue", () => {
  test("plays its scenario, and finds nothing wrong with a client that keeps to it", async () => {
    const venue = await open({
      scenario: `
        transport websocket
        on {"method":"ping"} send {"method":"pong","req_id":$in.req_id}
        scenario subscription
        expect {"method":"subscribe","params":{"symbol":["BTC/USD"]}}
        send {"success":true,"req_id":$in.req_id}
        repeat 3
          send {"seq":$seq,"bid":$bid}
          wait 100
        end
        close 1011 try again
      `,
    });
    const { socket, messages, closed } = await connectWebSocket(`${venue.url}/v2`);
    socket.send('{"method":"ping","req_id":1}');
    socket.send('{"method":"subscribe","params":{"symbol":["ETH/USD","BTC/USD"]},"req_id":2}');
    expect(await closed).toEqual({ code: 1011, reason: "try again" });
    expect(messages.map((text) => JSON.parse(text))).toEqual([
      { method: "pong", req_id: 1 },
      { success: true, req_id: 2 },
      { seq: 1, bid: 1.1 },
      { seq: 2, bid: expect.any(Number) },
      { seq: 3, bid: expect.any(Number) },
    ]);
    await venue.finished();
    await venue.close();
    expect(venue.violations).toEqual([]);
    expect(venue.received.map(({ connection, text }) => [connection, text.length > 0])).toEqual([
      [1, true],
      [1, true],
    ]);
    expect(venue.connections).toBe(1);
  });

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

  test("serves each connection the section that its opening fits, and the last one again", async () => {
    const venue = await open({
      transport: "websocket",
      scenario:
        'connect {"path":"/a"}\nsend "first"\nconnect {"path":"/a"}\nsend "again"\nconnect {"path":"/b"}\nsend "b"',
    });
    const seen: string[] = [];
    for (const path of ["/b", "/a", "/a?x=1", "/a"]) {
      const { messages, socket } = await connectWebSocket(venue.url + path);
      await vi.waitFor(() => expect(messages).toHaveLength(1), { timeout: 10_000 });
      seen.push(...messages);
      socket.terminate();
    }
    expect(seen).toEqual(['"b"', '"first"', '"again"', '"again"']);
    const { closed } = await connectWebSocket(`${venue.url}/c`);
    expect((await closed).code).toBe(1008);
    await venue.close();
    expect(venue.violations).toEqual([expect.stringContaining('no section serves a connection of {"path":"/c"')]);
  });

  test("answers pings until it is silent, then nothing, with the connection open", async () => {
    const venue = await open({
      transport: "websocket",
      scenario: 'ping a\nexpect {"pong":"a"}\nexpect {"go":1}\nsilent',
    });
    const { socket } = await connectWebSocket(venue.url);
    const pongs: string[] = [];
    socket.on("pong", (payload) => pongs.push(String(payload)));
    socket.ping("one");
    await vi.waitFor(() => expect(pongs).toEqual(["one"]), { timeout: 10_000 });
    socket.send('{"go":1}');
    await venue.finished();
    socket.ping("two");
    socket.send('{"sent":"after the ping"}');
    await vi.waitFor(() => expect(venue.received.at(-1)?.text).toContain("after the ping"), { timeout: 10_000 });
    expect(pongs).toEqual(["one"]);
    expect(venue.open).toBe(1);
  });

  test("closes the older connections when it evicts them", async () => {
    const venue = await open({
      transport: "websocket",
      scenario: 'connect\nconnect\nevict {"status":"max_connections"}',
    });
    const older = await connectWebSocket(venue.url);
    const newer = await connectWebSocket(venue.url);
    await older.closed;
    expect(older.messages).toEqual(['{"status":"max_connections"}']);
    expect(newer.socket.readyState).toBe(WebSocket.OPEN);
  });

  test("sends fragments that a client reads as whole messages", async () => {
    const scenario = 'send {"price":"€1.10"}\nsend {"price":"€1.20"}\nclose';
    const venue = await open({ transport: "websocket", scenario, faults: { split: "every byte" } });
    const { messages, closed } = await connectWebSocket(venue.url);
    await closed;
    expect(messages).toEqual(['{"price":"€1.10"}', '{"price":"€1.20"}']);
  });

  test("in code is as fast as its client reads, and not faster", async () => {
    let sent = 0;
    const venue = await open({
      transport: "websocket",
      async onConnection(connection) {
        const text = JSON.stringify("x".repeat(10_000));
        for (; sent < 20_000; sent++) await connection.send(text);
      },
    });
    const { socket, messages } = await connectWebSocket(venue.url);
    socket.pause();
    let before = -1;
    await vi.waitFor(
      () => {
        const stands = sent === before;
        before = sent;
        expect(stands && sent > 0).toBe(true);
      },
      { timeout: 10_000, interval: 100 },
    );
    expect(sent).toBeLessThan(10_000);
    socket.resume();
    await vi.waitFor(() => expect(messages.length).toBeGreaterThan(before), { timeout: 10_000 });
  });
});

import { describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { connectWebSocket, open } from "@/e2e/venues/kit/testing.fixture";

describe("a venue with faults", () => {
  test("survives a storm of reconnects, then serves its section", async () => {
    const scenario = 'expect {"go":1}\nsend {"ok":1}';
    const faults = { cut: { connections: 20, afterMessages: 0 } };
    const venue = await open({ transport: "websocket", scenario, faults });
    for (let attempt = 1; attempt <= 20; attempt++) {
      expect((await (await connectWebSocket(venue.url)).closed).code).toBe(1006);
    }
    const { socket, messages } = await connectWebSocket(venue.url);
    socket.send('{"go":1}');
    await vi.waitFor(() => expect(messages).toEqual(['{"ok":1}']), { timeout: 10_000 });
    await venue.finished();
    await venue.close();
    expect(venue.violations).toEqual([]);
    expect(venue.connections).toBe(21);
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

  test("bursts: a repeat is played as often as the burst says, without its waits", async () => {
    const scenario = "repeat 3\nsend $seq\nwait 3600000\nend\nclose";
    const venue = await open({ transport: "websocket", scenario, faults: { burst: 100 } });
    const { messages, closed } = await connectWebSocket(venue.url);
    await closed;
    expect(messages).toEqual(Array.from({ length: 300 }, (_, at) => String(at + 1)));
  });

  test("is ahead by the skew of its faults and its scenario", async () => {
    const scenario = "send $now\nskew -60\nsend $now\nclose";
    const venue = await open({
      transport: "websocket",
      scenario,
      clock: () => 5_000_000,
      faults: { skewMs: 3_600_000 },
    });
    const { messages, closed } = await connectWebSocket(venue.url);
    await closed;
    expect(messages).toEqual(["8600000", "8540000"]);
  });
});

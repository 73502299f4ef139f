import { once } from "node:events";
import { request } from "node:http";
import { connect as connectTls } from "node:tls";
import { describe, expect, test, vi } from "vitest";
import { openVenue } from "@/e2e/venues/kit/open-venue";
import { TEST_CERTIFICATE } from "@/e2e/venues/kit/test-certificate";
import { collect, connectTcp, open } from "@/e2e/venues/kit/testing.fixture";

describe("an HTTP venue", () => {
  async function get(url: string) {
    const call = request(url, { headers: { authorization: "Bearer secret" } }).end();
    const [response] = await once(call, "response");
    const pieces: string[] = [];
    response.on("data", (piece: Buffer) => pieces.push(String(piece)));
    await once(response, "end");
    return { status: response.statusCode, headers: response.headers, pieces, text: pieces.join("") };
  }

  test("answers by path, and streams lines in the pieces of the scenario", async () => {
    const venue = await open({
      transport: "http",
      scenario: `
        connect {"path":"/instruments","headers":{"authorization":"Bearer secret"}}
          answer 200 {"content-type":"application/json"}
          send {"instruments":[]}
          close
        connect {"path":"/stream","query":{"instruments":"EUR_USD"}}
          chunk 4
          send {"type":"PRICE"}
          chunk 0
          join
            send {"type":"HEARTBEAT"}
            send {"type":"HEARTBEAT"}
          end
          close
        connect {"path":"/limited"}
          answer 429 {"retry-after":"1"}
          close
      `,
    });
    const stream = await get(`${venue.url}/stream?instruments=EUR_USD`);
    expect(stream.headers).toMatchObject({
      "content-type": "application/octet-stream",
      "transfer-encoding": "chunked",
      connection: "close",
    });
    expect(stream.text).toBe('{"type":"PRICE"}\n{"type":"HEARTBEAT"}\n{"type":"HEARTBEAT"}\n');
    expect(stream.pieces.slice(0, 2)).toEqual(['{"ty', 'pe":']);
    expect(stream.pieces.at(-1)).toContain('"HEARTBEAT"}\n{"type"');
    expect(await get(`${venue.url}/instruments`)).toMatchObject({ status: 200, text: '{"instruments":[]}\n' });
    expect(await get(`${venue.url}/limited`)).toMatchObject({ status: 429, headers: { "retry-after": "1" } });
    expect((await get(`${venue.url}/unknown`)).status).toBe(404);
    await venue.finished();
    await venue.close();
    expect(venue.violations).toEqual([expect.stringMatching(/^no section serves .*"\/unknown"/)]);
  });
});

describe("a byte venue", () => {
  const LOGON = "8=FIX.4.4\x019=5\x0135=A\x0149=SPOTLINE\x0156=LMXBDM\x0134=1\x0110=000\x01";

  test("speaks FIX over TLS with a certificate that clients can check, split at every byte", async () => {
    const venue = await open({
      transport: "tls",
      scenario: "expect 35=A|56=LMXBDM\nsend 35=A|98=0|108=30\nsend 35=0|10=999\nclose",
      clock: () => Date.UTC(2026, 10, 22),
      faults: { split: "every byte" },
    });
    const socket = connectTls({ port: Number(new URL(venue.url).port), host: "127.0.0.1", ca: TEST_CERTIFICATE });
    const { closed, text } = collect(socket);
    await once(socket, "secureConnect");
    expect(socket.authorized).toBe(true);
    socket.write(LOGON);
    await closed;
    const header = "49=LMXBDM|56=SPOTLINE|34=1|52=20261122-00:00:00.000|98=0|108=30|".replaceAll("|", "\x01");
    expect(text()).toContain(`8=FIX.4.4\x019=69\x0135=A\x01${header}10=`);
    expect(text()).toMatch(/34=2\x01.*\x0110=999\x01$/);
    await venue.close();
    expect(venue.violations).toEqual([]);
  });

  test("writes joined messages in one segment and split ones in many", async () => {
    const venue = await open({
      transport: "tcp",
      scenario: 'join\nsend {"a":1}\nsend {"b":2}\nend\nchunk 1\nraw cd\\x01\nreset',
    });
    const { pieces, closed, text } = collect(connectTcp(venue.url));
    await closed;
    expect(text()).toBe('{"a":1}{"b":2}cd\x01');
    expect(String(pieces[0])).toMatch(/^\{"a":1\}\{"b":2\}/);
    expect(pieces.length).toBeGreaterThan(1);
  });

  test("closes within a second, with clients connected and steps left to wait for", async () => {
    const venue = await openVenue({ transport: "tcp", scenario: "wait 3600000\nsend {}", timeScale: 1 });
    const { closed } = collect(connectTcp(venue.url));
    await vi.waitFor(() => expect(venue.open).toBe(1), { timeout: 10_000 });
    const startedAtMs = performance.now();
    await venue.close();
    await venue.close();
    expect(performance.now() - startedAtMs).toBeLessThan(1_000);
    await closed;
    expect(venue.open).toBe(0);
  });

  test("reports an error of the code that serves it", async () => {
    const venue = await open({
      transport: "tcp",
      onConnection: () => {
        throw new Error("out of ticks");
      },
    });
    const { closed } = collect(connectTcp(venue.url));
    await vi.waitFor(() => expect(venue.violations).toEqual(["Error: out of ticks"]), { timeout: 10_000 });
    await venue.close();
    await closed;
  });
});

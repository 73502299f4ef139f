import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createKey } from "@/e2e/process/own-key";
import { type Spotline, WITHOUT_PAGES } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";
import { type SimulatedBatch, SimulatedTerminal } from "@/lib/feeds/mt5/terminal.fixture";
import { createTemporaryFolder } from "@/lib/platform/temporary-folder";
import { HOUR_MS } from "@/lib/time/units";

/** Sources that are set up in a file, and change while the server runs. */

interface Listed {
  readonly sources: readonly { source: string; health: string; mode: string; last_minute: number }[];
}

describe("A server with several feeds", () => {
  const folder = createTemporaryFolder("spotline-sources-");
  const file = join(folder, "spotline.config.ts");
  let server: Spotline;
  let apiKey: string;

  const writeFile = (...sources: string[]) =>
    writeFileSync(
      file,
      `import { defineSpotline } from "spotline";\nexport default defineSpotline({ sources: [${sources.join(", ")}] });`,
    );
  const REPLAY = `{ kind: "replay", dir: ${JSON.stringify(folder)}, expectedRate: 2 }`;
  const SIMULATED = `{ kind: "simulated", priority: 9 }`;

  beforeAll(async () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => `${1_546_383_600_000 + at * 400},1.3,1.3002`).join("\n");
    mkdirSync(join(folder, "oanda", "EURUSD"), { recursive: true });
    writeFileSync(join(folder, "oanda", "EURUSD", "ticks.csv"), rows);
    writeFile(REPLAY, SIMULATED);
    server = await startTestServer({ env: { ...WITHOUT_PAGES, SPOTLINE_CONFIG: file } });
    apiKey = await createKey(server);
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const ask = async (path: string) => {
    const answer = await fetch(`${server.url}${path}`, { headers: { "X-API-Key": apiKey } });
    const { data } = (await answer.json()) as { data?: { source?: string } };
    return { status: answer.status, mode: answer.headers.get("x-data-mode"), source: data?.source };
  };
  /** The recorded seconds and their bids. */
  const readBids = async (path: string) => {
    const answer = await fetch(`${server.url}${path}`, { headers: { "X-API-Key": apiKey } });
    const { data } = (await answer.json()) as { data: { ticks: { time: string; bid: number }[] } };
    return data.ticks.map(({ time, bid }) => [Date.parse(time) / 1000, bid]);
  };
  const askQuote = (symbol: string) => ask(`/v1/quote?symbol=${symbol}`);
  const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 40_000, interval: 250 });

  test("marks each quote by the mode of its own source, and simulates only what no other feed offers", async () => {
    await until(async () => expect(await askQuote("EURUSD")).toEqual({ status: 200, mode: "replay", source: "oanda" }));
    await until(async () => expect(await askQuote("GBPUSD")).toMatchObject({ status: 200, mode: "simulated" }));
    expect((await ask("/v1/quote?symbol=EURUSD&source=alpha-markets")).status).toBe(404);
    // Each simulated source sends its first price at a moment of its own.
    await until(async () => expect((await ask("/v1/quote?symbol=GBPUSD&source=alpha-markets")).status).toBe(200));
  });

  test("stops the prices of a paused source at once, and accepts them again", async () => {
    expect(await server.cli("sources", "pause", "--name", "oanda")).toEqual({ source: "oanda", paused: true });
    await until(async () => expect((await askQuote("EURUSD")).status).toBe(404));
    await until(async () => {
      const { sources } = await server.cli<Listed>("sources", "list");
      expect(sources.find(({ source }) => source === "oanda")).toMatchObject({ mode: "replay", health: "paused" });
    });
    await server.cli("sources", "resume", "--name", "oanda");
    await until(async () => expect((await askQuote("EURUSD")).source).toBe("oanda"));
  });

  test("gives a spelling an alias at once, and takes it back", async () => {
    const alias = ["oanda", "EURUSD", "gbp/usd"] as const;
    expect(await server.cli("sources", "alias", ...alias)).toEqual({
      source: "oanda",
      spelling: "EURUSD",
      symbol: "GBPUSD",
    });
    await until(async () => expect(await askQuote("GBPUSD")).toMatchObject({ mode: "replay", source: "oanda" }));
    expect((await ask("/v1/quote?symbol=EURUSD&source=oanda")).status).toBe(404);
    await server.cli("sources", "unalias", "oanda", "EURUSD");
    await until(async () => expect((await askQuote("EURUSD")).source).toBe("oanda"));
    expect((await ask("/v1/quote?symbol=GBPUSD&source=oanda")).status).toBe(404);
    await expect(server.cli("sources", "unalias", "oanda", "EURUSD")).rejects.toThrow();
    await expect(server.cli("sources", "alias", "oanda", "EURUSD")).rejects.toThrow();
    await expect(server.cli("sources", "alias", "nobody", "EURUSD", "GBPUSD")).rejects.toThrow();
  });

  test("reads its file again without a restart, and keeps what runs if the file is wrong", async () => {
    writeFile(`{ kind: "simulate" }`);
    await expect(server.cli("sources", "reload")).rejects.toThrow();
    expect((await askQuote("EURUSD")).source).toBe("oanda");
    writeFile(SIMULATED);
    expect(await server.cli("sources", "reload")).toMatchObject({ added: [], removed: ["oanda"] });
    expect((await ask("/v1/quote?symbol=EURUSD&source=oanda")).status).toBe(404);
    await until(async () => expect(await askQuote("EURUSD")).toMatchObject({ status: 200, mode: "simulated" }));
    writeFile(REPLAY, SIMULATED);
    expect(await server.cli("sources", "reload")).toMatchObject({ added: ["oanda"], removed: [] });
    await until(async () => expect((await askQuote("EURUSD")).source).toBe("oanda"));
  });

  test(
    "serves the prices of a terminal without a restart, and loses nothing acknowledged to kill -9",
    { timeout: 120_000 },
    async () => {
      writeFile(REPLAY);
      await server.cli("sources", "reload");
      const { token } = await server.cli<{ token: string }>("terminal", "create", "--source", "icm");
      const push = async (batch: SimulatedBatch) => {
        const answer = await fetch(`${server.url}/ingest/v1/mt5/ticks`, {
          method: "POST",
          headers: { "X-Ingest-Token": token },
          body: JSON.stringify(batch),
        });
        return { status: answer.status, ...((await answer.json()) as { data?: { ack: number; repeated: boolean } }) };
      };
      const ea = new SimulatedTerminal({
        bootId: "run",
        symbol: "USDZARm",
        startMs: Date.now(),
        offsetMs: 3 * HOUR_MS,
      });
      const batches: SimulatedBatch[] = [];
      for (let sent = 0; sent < 8; sent++) {
        // Each batch is a second after the one before, and never ahead of the clock.
        await until(async () => expect(Date.now()).toBeGreaterThan(ea.nowMs + 1_000));
        const batch = ea.next();
        await until(async () => expect(await push(batch)).toMatchObject({ status: 200, data: { ack: batch.seq } }));
        batches.push(batch);
      }
      process.kill(server.pid, "SIGKILL");
      await server.ended;

      const killed = server;
      const again = await startTestServer({
        env: { ...WITHOUT_PAGES, SPOTLINE_CONFIG: file, ...killed.place },
      });
      const stop = async () => {
        const code = await again.stop();
        await killed.stop();
        return code;
      };
      server = { ...again, stop };
      await until(async () => expect((await askQuote("USDZAR")).source).toBe("icm"));
      for (const batch of batches)
        expect(await push(batch)).toMatchObject({ data: { ack: batch.seq, repeated: true } });
      const bids = new Map(
        batches.flatMap(({ ticks }) =>
          ticks.map(({ t, b }) => [Math.floor((t - 3 * HOUR_MS) / 1000), Number(b)] as const),
        ),
      );
      const fromS = Math.min(...bids.keys());
      const range = `from=${new Date(fromS * 1000).toISOString()}&to=${new Date((fromS + 3_000) * 1000).toISOString()}`;
      await until(async () => expect(await readBids(`/v1/ticks?symbol=USDZAR&${range}`)).toEqual([...bids]));
    },
  );
});

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Spotline, startSpotline } from "@/e2e/support/spotline";
import { HOUR_MS } from "@/lib/time/units";

/**
 * Measures memory over time: the built server with its defaults (162 symbols, four sources, recording, back-fill at the
 * start) and a few calls of every kind, for `npm run bench:soak -- MINUTES` (60). The slope is that of the least-squares
 * line through the second half.
 */

const MINUTES = Number(process.argv[2] ?? 60);
const BYTES_PER_MEGABYTE = 1_048_576;
const SHOW_EVERY_MS = 60_000;
const CALL_EVERY_MS = 500;

interface Sample {
  readonly process: "server" | "pages";
  readonly atMs: number;
  readonly rss: number;
  readonly heapUsed: number;
  readonly external: number;
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "spotline-soak-"));
  const file = join(folder, "memory");
  const spotline = await startSpotline({
    env: { SOAK_FILE: file },
    command: ["--import", "./bench/memory-report.mjs", "dist/server.mjs"],
    discardLog: true,
  });
  const startMs = Date.now();
  try {
    const headers = { "X-API-Key": await createKey(spotline) };
    console.log("| minute | process | RSS MB | heap MB | external MB |\n|---|---|---|---|---|");
    let shownMs = startMs;
    let calls = 0;
    let failed = 0;
    while (Date.now() < startMs + MINUTES * 60_000) {
      const path = PATHS[calls++ % PATHS.length] as string;
      const answer = await fetch(spotline.url + path.replace("NOW", new Date().toISOString()), { headers });
      await answer.arrayBuffer();
      if (!answer.ok) failed++;
      if (Date.now() - shownMs >= SHOW_EVERY_MS) {
        shownMs += SHOW_EVERY_MS;
        const samples = await readSamples(file);
        for (const name of ["server", "pages"] as const)
          show(samples.filter((it) => it.process === name).at(-1), startMs);
      }
      await pause(CALL_EVERY_MS);
    }
    const late = (await readSamples(file)).filter(({ atMs }) => atMs > startMs + MINUTES * 30_000);
    for (const name of ["server", "pages"] as const)
      showSlopes(
        name,
        late.filter((it) => it.process === name),
      );
    console.log(`${calls} calls, ${failed} failed`);
  } finally {
    await spotline.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const PATHS = [
  "/v1/quote?symbol=EURUSD&include_sources=true",
  "/v1/ohlc?symbol=GBPUSD&timeframe=M5&limit=500",
  "/v1/spread?symbol=USDJPY&period=24h",
  "/v1/sessions",
  "/v1/heatmap?timeframe=H1",
  "/health",
];

async function createKey(spotline: Spotline): Promise<string> {
  const email = "soak@example.com";
  const password = "a long enough password";
  await spotline.cli("account", "create", "--email", email, "--password", password, "--plan", "enterprise");
  const words = ["--account", email, "--label", "soak", "--scopes", "all"];
  return (await spotline.cli<{ key: string }>("key", "create", ...words)).key;
}

async function readSamples(file: string): Promise<Sample[]> {
  const text = await readFile(file, "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Sample);
}

function show(sample: Sample | undefined, startMs: number): void {
  if (sample === undefined) return;
  const minute = Math.round((sample.atMs - startMs) / 60_000);
  const [rss, heap, external] = [sample.rss, sample.heapUsed, sample.external].map((it) =>
    (it / BYTES_PER_MEGABYTE).toFixed(0),
  );
  console.log(`| ${minute} | ${sample.process} | ${rss} | ${heap} | ${external} |`);
}

function showSlopes(name: string, samples: readonly Sample[]): void {
  const slope = (pick: (sample: Sample) => number) => {
    const x = samples.map(({ atMs }) => atMs / HOUR_MS);
    const y = samples.map((sample) => pick(sample) / BYTES_PER_MEGABYTE);
    const mean = (values: readonly number[]) => values.reduce((sum, it) => sum + it, 0) / values.length;
    const [meanX, meanY] = [mean(x), mean(y)];
    const covariance = x.reduce((sum, it, at) => sum + (it - meanX) * ((y[at] as number) - meanY), 0);
    return (covariance / x.reduce((sum, it) => sum + (it - meanX) ** 2, 0)).toFixed(0);
  };
  const [rss, heap] = [slope((it) => it.rss), slope((it) => it.heapUsed)];
  console.log(`${name}: RSS ${rss} MB an hour, heap ${heap} MB an hour over the second half`);
}

await main();

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { onTestFinished } from "vitest";
import type { Feed, FeedSink } from "@/lib/feeds/feed";
import { createIntake, type Quote } from "@/lib/feeds/intake";
import { findKind } from "@/lib/feeds/kinds";
import { createFrameRecorder } from "@/lib/feeds/live/frame-recorder";
import type { LiveContext } from "@/lib/feeds/live/live-feed";
import type { Tick } from "@/lib/market/bar";
import { dropInstruments, putInstruments } from "@/lib/market/catalog";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import { describeNewInstrument, type SymbolFacts } from "@/lib/market/new-instrument";

interface Options {
  /** UTC milliseconds; the wall clock if left out. */
  readonly now?: () => number;
  /** What the recording of frames must not contain. */
  readonly secrets?: readonly string[];
  /** False for a burst: nothing is kept or recorded, only counted. */
  readonly isKept?: boolean;
}

/** A folder that is removed when the test ends. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "spotline-venue-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a feed behind the real intake until the test ends, and keeps everything that it reports. */
export async function runFeed(create: (context: LiveContext) => Feed, options: Options = {}) {
  const { now = Date.now, secrets = [], isKept = true } = options;
  const file = join(createFolder(), "frames.jsonl");
  const logged: string[] = [];
  const log = pino({ level: "trace", base: null }, { write: (line: string) => void logged.push(line) });
  const recorder = isKept ? createFrameRecorder({ file, secrets, log }) : null;
  const feed = create({ now, monotonic: () => performance.now(), log, random: () => 0, recorder });
  const ticks: Tick[] = [];
  const facts: SymbolFacts[] = [];
  const quotes: Quote[] = [];
  const statuses: string[] = [];
  const counts = { quotes: 0, calls: 0 };
  const onQuote = (quote: Quote) => {
    counts.quotes++;
    if (isKept) quotes.push(quote);
  };
  // The sources here are named like their kinds, whose spellings the server knows.
  const sources = feed.sources.map(({ name }) => ({ name, aliases: findKind(name)?.symbols ?? {} }));
  const intake = createIntake({ resolver: catalogResolver, sources, onQuote, now, log });
  const sink: FeedSink = {
    tick(tick) {
      counts.calls++;
      if (isKept) ticks.push(tick);
      intake.tick(tick);
    },
    async symbols(_, said) {
      facts.push(...said);
      const added = said.flatMap((each) => describeNewInstrument(each)?.instrument ?? []);
      putInstruments(added);
      intake.followCatalog();
      onTestFinished(() => dropInstruments(added.map(({ symbol }) => symbol)));
    },
    status(source, status, detail) {
      counts.calls++;
      statuses.push(detail === undefined ? status : `${status} ${detail}`);
      intake.status(source, status, detail);
    },
  };
  onTestFinished(() => feed.stop());
  await feed.start(sink);

  /** Everything that an operator may see or copy: the log, the states, and the recording of frames. */
  async function readTraces(): Promise<string> {
    await recorder?.close();
    return [...logged, ...statuses, isKept ? readFileSync(file, "utf8") : ""].join("\n");
  }
  return { feed, ticks, quotes, facts, statuses, logged, counts, readTraces };
}

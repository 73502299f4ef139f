import { existsSync } from "node:fs";
import type { Quote } from "@/lib/feeds/intake";
import { createFrameRecorder } from "@/lib/feeds/live/frame-recorder";
import { Inlets } from "@/lib/feeds/mt5/inlets";
import { Terminals } from "@/lib/feeds/mt5/terminals";
import type { PastFeed } from "@/lib/feeds/set/feed-plan";
import type { FeedSettings } from "@/lib/feeds/settings/feed-setting";
import { loadFeedSettings } from "@/lib/feeds/settings/feed-settings";
import { listSecrets } from "@/lib/feeds/settings/secrets";
import { type GapWatch, openGapWatch } from "@/lib/history/gaps/gap-watch";
import { UnfilledGaps } from "@/lib/history/gaps/unfilled-gaps";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import { Origins } from "@/lib/history/origins";
import { startRecording } from "@/lib/history/recording/recording";
import { getRetentionStart } from "@/lib/history/retention";
import { readStoredUntil } from "@/lib/history/stored-until";
import { startUpkeep } from "@/lib/history/upkeep";
import { instruments } from "@/lib/market/catalog";
import { createSessions } from "@/lib/market/sessions/sessions";
import type { Database } from "@/lib/platform/database/database";
import { monotonicClock, systemClock } from "@/lib/platform/timing/clock";
import { openPrices, type Prices } from "@/lib/runtime/prices";
import { type openProcess, openReplica } from "@/lib/runtime/services";
import { SourceFollower } from "@/lib/runtime/source-follower";
import { TerminalTokens } from "@/lib/runtime/terminal-tokens";
import { MINUTE_MS } from "@/lib/time/units";

interface HistoryOptions extends Pick<ReturnType<typeof openProcess>, "config" | "log"> {
  readonly database: Database;
  readonly settings: FeedSettings;
}

/** Starts the feeds and the recording of their prices. */
export async function startHistory({ config, log, database, settings }: HistoryOptions) {
  const { pool } = database;
  const { prices, gaps, tokens, inlets, loadSettings } = await openSources({ config, log, database, settings });
  const { marketNow, marketElapsed, book } = prices;
  const sources = prices.listSources();
  const sessions = createSessions(config.sessions);
  const importPriority = settings.file === null ? settings.sourcePriority : sources.map(({ name }) => name);
  const replica = openReplica({ config, log }, pool);
  const keeper = new HistoryKeeper({ pool, instruments, sources, sessions, importPriority, marketNow, replica });
  const [{ servedSource }, isExclusive] = [book, database.kind === "embedded"];
  const clocks = { marketNow, marketElapsed };
  const recording = await startRecording({ pool, keeper, instruments, servedSource, ...clocks, log, isExclusive });
  const sourceFollower = new SourceFollower({
    ...{ pool, prices, log },
    loadSettings: async () => tokens.complete(await loadSettings()),
  });
  const gapWatch = await openGapWatch({
    ...{ pool, sources, now: marketNow, log },
    readFence: () => recording.lease.fence,
    findPast: prices.findPast,
    listPriority: () => prices.listSources().map(({ name }) => name),
    spreadsFromMs: () => getRetentionStart(config.keepDays.spreads, marketNow()),
    keptFromMs: () => getRetentionStart(config.keepDays.ticks, marketNow()),
  });
  watchGaps(prices, gapWatch);
  const origins = new Origins({ pool, log, readFence: () => recording.lease.heldFence });
  await origins.start();
  prices.onQuote(createOriginNote(prices, origins, () => recording.lease.isHeld));
  prices.onQuote(recording.onQuote);
  prices.onQuote(keeper.onQuote);
  await sourceFollower.start();
  await prices.start(() => recording.store());
  tokens.start(prices);
  const isStoring = () => recording.status().silenceMs < MINUTE_MS;
  const terminals = new Terminals({ pool, inlets, isStoring, now: marketNow, log });
  const receiving = await recording.whileRecording.run(async (fence) => {
    await terminals.start(tokens.active, fence);
    return terminals;
  });
  const upkeep = await startUpkeep({
    pool,
    recording,
    keeper,
    past: limitPast(prices.past, origins),
    instruments,
    keepDays: config.keepDays,
    marketNow,
    log,
  });
  return {
    prices,
    sourceFollower,
    terminals: {
      states: () => terminals.states(),
      findToken: (secret: string) => tokens.find(secret),
      accept: terminals.accept.bind(terminals),
      async stop(): Promise<void> {
        tokens.stop();
        await receiving.stop();
      },
    },
    history: {
      sessions,
      keeper,
      replica,
      origins,
      gaps,
      whileRecording: recording.whileRecording,
      save: () => recording.save(),
      /** The number under which this server records; null while another one does. */
      readFence: () => recording.lease.heldFence,
      status: () => ({ recorder: recording.status(), backfill: upkeep.progress() }),
      async stop(): Promise<void> {
        await gapWatch.stop();
        await upkeep.stop();
        // It stores its last notes, so it must come before the lease is released.
        await origins.stop();
        await recording.stop();
      },
    },
  };
}

/** Opens the feeds, also those of terminals, and reads the gaps of their sources. */
async function openSources({ config, log, database: { pool }, settings }: HistoryOptions) {
  const storedUntilMs = await readStoredUntil(pool);
  const loadSettings = () => loadFeedSettings(config, readEnvironment());
  const tokens = new TerminalTokens({ pool, loadSettings, log });
  await tokens.load();
  const gaps = new UnfilledGaps({ pool, log });
  await gaps.start();
  const inlets = new Inlets();
  const { recordFrames: file, dataDir } = config;
  const recorder = file === null ? null : createFrameRecorder({ file, secrets: listSecrets(settings.feeds), log });
  const clocks = { system: systemClock, monotonic: monotonicClock };
  const prices = openWithTerminals(settings, tokens, {
    ...{ log, ...clocks, storedUntilMs, inlets, dataDir, recorder },
    summariseGaps: (source) => gaps.summarise(source),
  });
  return { prices, gaps, tokens, inlets, loadSettings };
}

/** Opens the feeds with those of terminals, or without them if one has the name of another source. */
function openWithTerminals(
  settings: FeedSettings,
  tokens: TerminalTokens,
  options: Omit<Parameters<typeof openPrices>[0], "settings">,
): Prices {
  try {
    return openPrices({ ...options, settings: tokens.complete(settings) });
  } catch (error) {
    const prices = openPrices({ ...options, settings });
    options.log.error({ err: error }, "the sources of terminals cannot be opened");
    return prices;
  }
}

function watchGaps(prices: Prices, watch: GapWatch): void {
  prices.onQuote((quote) => watch.onQuote(quote));
  prices.onLoss((source, reason) => watch.onLoss(source, reason));
  prices.onSources((sources) => watch.setSources(sources));
  watch.start();
}

/** Notes the mode of each price that this server records: of the source that is served. */
function createOriginNote({ book, getMode }: Prices, origins: Origins, isRecording: () => boolean) {
  return ({ source, instrument: { symbol }, timeMs, receivedAtMs }: Quote): void => {
    if (!isRecording()) return;
    const mode = getMode(source);
    if (mode === undefined || origins.getLatest(symbol) === mode) return;
    if (book.servedSource(symbol, receivedAtMs) === source) origins.note(symbol, mode, timeMs);
  };
}

/** Leaves out the symbols that have a history of real prices: its gaps are real, and nothing is added before it. */
function limitPast(past: PastFeed | null, origins: Origins): PastFeed | null {
  if (past === null) return null;
  const symbols = past.symbols.filter((symbol) => origins.isOnly(symbol, "simulated"));
  for (const symbol of symbols) origins.note(symbol, "simulated", 0);
  return { ...past, symbols };
}

/** The environment, with the secrets that were added to .env since the start. */
function readEnvironment(): NodeJS.ProcessEnv {
  if (existsSync(".env")) process.loadEnvFile(".env");
  return process.env;
}

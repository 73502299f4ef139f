import { timingSafeEqual } from "node:crypto";
import { existsSync } from "node:fs";
import type { Pool } from "pg";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { type ActiveToken, readActiveTokens } from "@/lib/access/ingest-tokens";
import { createInstrumentControl } from "@/lib/access/instrument-control";
import { hashSecret } from "@/lib/access/secret";
import { readSourceSettings, type SourceSettings } from "@/lib/access/source-control";
import { InstrumentStore } from "@/lib/feeds/instrument-store";
import type { Quote } from "@/lib/feeds/intake";
import { createFrameRecorder } from "@/lib/feeds/live/frame-recorder";
import { Inlets } from "@/lib/feeds/mt5/inlets";
import { addTerminals, Terminals } from "@/lib/feeds/mt5/terminals";
import type { PastFeed } from "@/lib/feeds/set/feed-plan";
import type { FeedSettings } from "@/lib/feeds/settings/feed-setting";
import { loadFeedSettings } from "@/lib/feeds/settings/feed-settings";
import { listSecrets } from "@/lib/feeds/settings/secrets";
import { BookLog } from "@/lib/history/as-of/book-log";
import { UnfilledGaps } from "@/lib/history/gaps/gap-rows";
import { type GapWatch, openGapWatch } from "@/lib/history/gaps/gap-watch";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import { readStoredUntil } from "@/lib/history/hour-store";
import { Origins } from "@/lib/history/origins";
import { runQuality } from "@/lib/history/quality/quality-upkeep";
import { TickTally } from "@/lib/history/quality/tick-tally";
import { startRecording } from "@/lib/history/recording/recording";
import { getRetentionStart } from "@/lib/history/retention";
import { readKeptTicks } from "@/lib/history/tapes/kept-ticks";
import { TapeWriter } from "@/lib/history/tapes/tape-writer";
import { startUpkeep } from "@/lib/history/upkeep";
import { instruments } from "@/lib/market/catalog";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import { createSessions } from "@/lib/market/sessions/sessions";
import type { Database } from "@/lib/platform/database/database";
import { describeFault } from "@/lib/platform/database/database-errors";
import type { Logger } from "@/lib/platform/log/log";
import { monotonicClock, systemClock } from "@/lib/platform/timing/clock";
import { repeat, type Repetition } from "@/lib/platform/timing/repeat";
import type { ServerStatus } from "@/lib/readers/messages";
import { openPrices, type Prices } from "@/lib/runtime/prices";
import { type openProcess, openReplica } from "@/lib/runtime/services";
import { MINUTE_MS } from "@/lib/time/units";

interface HistoryOptions extends Pick<ReturnType<typeof openProcess>, "config" | "log"> {
  readonly database: Database;
  readonly settings: FeedSettings;
}

/** Starts the feeds and the recording of their prices. */
export async function startHistory({ config, log, database, settings }: HistoryOptions) {
  const { pool } = database;
  const { prices, gaps, tokens, inlets, stored, loadSettings } = await openSources({ config, log, database, settings });
  const kept = readKeptTicks(config.keepTicks, catalogResolver);
  const { marketNow, marketElapsed, book } = prices;
  const sources = prices.listSources();
  const sessions = createSessions(config.sessions);
  const importPriority = settings.file === null ? settings.sourcePriority : sources.map(({ name }) => name);
  const replica = openReplica({ config, log }, pool);
  const keeper = new HistoryKeeper({ pool, instruments, sources, sessions, importPriority, marketNow, replica });
  const [{ servedSource }, isExclusive] = [book, database.kind === "embedded"];
  const clocks = { marketNow, marketElapsed };
  const recording = await startRecording({ pool, keeper, servedSource, ...clocks, log, isExclusive });
  const sourceFollower = new SourceFollower({
    ...{ pool, prices, log },
    loadSettings: async () => tokens.complete(await loadSettings()),
  });
  const listPriority = () => prices.listSources().map(({ name }) => name);
  const gapWatch = await openGapWatch({
    ...{ pool, sources, now: marketNow, log },
    readFence: () => recording.lease.fence,
    findPast: prices.findPast,
    listPriority,
    spreadsFromMs: () => getRetentionStart(config.keepDays.spreads, marketNow()),
    keptFromMs: () => getRetentionStart(config.keepDays.ticks, marketNow()),
  });
  watchGaps(prices, gapWatch);
  const origins = new Origins({ pool, log, readFence: () => recording.lease.heldFence });
  await origins.start();
  prices.onQuote(createOriginNote(prices, origins, () => recording.lease.isHeld));
  prices.onQuote(recording.onQuote);
  prices.onQuote(keeper.onQuote);
  const bookLog = new BookLog({ pool, findGapMs: book.findGapMs, marketNow, log });
  prices.onQuote((quote) => bookLog.onQuote(quote));
  prices.onSources((changed, dropped) => bookLog.onSources(changed, dropped));
  const tapes = new TapeWriter({ pool, kept, servedSource, marketNow, log });
  prices.onQuote((quote) => tapes.onQuote(quote));
  const logging = await recording.whileRecording.run((fence) => bookLog.run(fence));
  const taping = await recording.whileRecording.run((fence) => tapes.run(fence));
  const tally = new TickTally();
  prices.onChecked((...checked) => tally.onTick(...checked));
  const judging = await recording.whileRecording.run((fence) =>
    runQuality({ pool, tally, listPriority, marketNow, log }, fence),
  );
  await sourceFollower.start();
  await prices.start(() => recording.store());
  tokens.start(prices);
  const isStoring = () => recording.status().silenceMs < MINUTE_MS;
  const terminals = new Terminals({ pool, inlets, nameSymbols: prices.nameSymbols, isStoring, now: marketNow, log });
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
        stored.stop();
        await gapWatch.stop();
        await upkeep.stop();
        // It stores its last notes, so it must come before the lease is released.
        await origins.stop();
        await judging.stop();
        await logging.stop();
        await taping.stop();
        await recording.stop();
      },
    },
  };
}

/** Loads the stored instruments, opens the feeds, also those of terminals, and reads the gaps of their sources. */
async function openSources({ config, log, database, settings }: HistoryOptions) {
  const { pool } = database;
  const stored = new InstrumentStore({ database, log });
  await stored.start();
  const control = createInstrumentControl(database, { now: systemClock });
  const putInstruments = async (loaded: FeedSettings) => {
    await control.put(loaded.instruments ?? [], OPERATOR_CLI);
    return loaded;
  };
  await putInstruments(settings);
  const storedUntilMs = await readStoredUntil(pool);
  const loadSettings = async () => putInstruments(await loadFeedSettings(config, readEnvironment()));
  const tokens = new TerminalTokens({ pool, loadSettings, log });
  await tokens.load();
  const gaps = new UnfilledGaps({ pool, log });
  await gaps.start();
  const inlets = new Inlets();
  const { recordFrames: file, dataDir } = config;
  const recorder = file === null ? null : createFrameRecorder({ file, secrets: listSecrets(settings.feeds), log });
  const clocks = { system: systemClock, monotonic: monotonicClock };
  const prices = openWithTerminals(settings, tokens, {
    ...{ log, ...clocks, storedUntilMs, inlets, dataDir, recorder, instruments: stored },
    summariseGaps: (source) => gaps.summarise(source),
  });
  return { prices, gaps, tokens, inlets, stored, loadSettings };
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

type ReloadOutcome = ServerStatus["reload"];

interface FollowerOptions {
  readonly pool: Pool;
  readonly prices: Pick<Prices, "apply" | "setPaused" | "setAliases">;
  readonly loadSettings: () => Promise<FeedSettings>;
  readonly log: Logger;
  readonly pollMs?: number;
}

const POLL_MS = 500;

/** Does what operators want of the sources: pauses and resumes them, sets their aliases, and reads their file again. */
export class SourceFollower {
  readonly #options: FollowerOptions;
  readonly #repetition: Repetition;
  #paused = "";
  #aliases = "[]";
  #outcome: ReloadOutcome = { request: 0, change: null, error: null };

  constructor(options: FollowerOptions) {
    const { log, pollMs = POLL_MS } = options;
    this.#options = options;
    this.#repetition = repeat(() => this.#follow(), {
      pauseMs: pollMs,
      onFailure: (error) => log.warn({ err: error }, "the settings of sources cannot be read"),
      onRecovery: () => log.info("the settings of sources can be read again"),
    });
  }

  get outcome(): ReloadOutcome {
    return this.#outcome;
  }

  /** Pauses what was paused before, and sets the aliases. Call it before the feeds start, which have just read their settings. */
  async start(): Promise<void> {
    const settings = await readSourceSettings(this.#options.pool);
    this.#outcome = { ...this.#outcome, request: settings.reloads };
    this.#setAliases(settings);
    await this.#setPaused(settings);
    this.#repetition.start();
  }

  stop(): void {
    this.#repetition.stop();
  }

  async #follow(): Promise<void> {
    const settings = await readSourceSettings(this.#options.pool);
    this.#setAliases(settings);
    await this.#setPaused(settings);
    if (settings.reloads !== this.#outcome.request) await this.#reload(settings.reloads);
  }

  #setAliases({ aliases }: SourceSettings): void {
    const text = JSON.stringify([...aliases]);
    if (text === this.#aliases) return;
    this.#options.prices.setAliases(aliases);
    this.#aliases = text;
    this.#options.log.info({ aliases: Object.fromEntries(aliases) }, "aliases of sources changed");
  }

  async #setPaused({ paused }: SourceSettings): Promise<void> {
    const names = [...paused.keys()];
    if (names.join() === this.#paused) return;
    await this.#options.prices.setPaused(new Set(names));
    this.#paused = names.join();
    this.#options.log.info({ paused: names }, "paused sources changed");
  }

  async #reload(request: number): Promise<void> {
    const { loadSettings, prices, log } = this.#options;
    try {
      const change = await prices.apply(await loadSettings());
      this.#outcome = { request, change, error: null };
      log.info(change, "sources reloaded");
    } catch (error) {
      const reason = describeFault(error);
      this.#outcome = { request, change: null, error: reason };
      log.error({ reason }, "sources could not be reloaded; nothing was changed");
    }
  }
}

interface TokenOptions {
  readonly pool: Pool;
  readonly loadSettings: () => Promise<FeedSettings>;
  readonly log: Logger;
  readonly pollMs?: number;
}

/** The valid tokens of terminals in memory, and a source for each. Follows the database. */
export class TerminalTokens {
  readonly #options: TokenOptions;
  readonly #repetition: Repetition;
  #tokens: readonly ActiveToken[] = [];
  #applied = "";
  #prices: Pick<Prices, "apply"> | null = null;

  constructor(options: TokenOptions) {
    const { log, pollMs = POLL_MS } = options;
    this.#options = options;
    this.#repetition = repeat(() => this.#follow(), {
      pauseMs: pollMs,
      onFailure: (error) => log.error({ err: error }, "the tokens of terminals cannot be followed"),
      onRecovery: () => log.info("the tokens of terminals can be followed again"),
    });
  }

  get active(): readonly ActiveToken[] {
    return this.#tokens;
  }

  /** Reads the tokens. Rejects if the database cannot be read. */
  async load(): Promise<void> {
    this.#tokens = await readActiveTokens(this.#options.pool);
    this.#applied = describe(this.#tokens);
  }

  /** Begins to follow the database. */
  start(prices: Pick<Prices, "apply">): void {
    this.#prices = prices;
    this.#repetition.start();
  }

  stop(): void {
    this.#repetition.stop();
  }

  /** The settings with the sources of all terminals. */
  complete(settings: FeedSettings): FeedSettings {
    return addTerminals(settings, this.#tokens);
  }

  /** The valid token with this secret. Compares hashes in constant time, so that the duration reveals nothing. */
  find(secret: string): ActiveToken | null {
    const given = Buffer.from(hashSecret(secret));
    let found: ActiveToken | null = null;
    for (const token of this.#tokens) if (timingSafeEqual(given, Buffer.from(token.secretHash))) found = token;
    return found;
  }

  async #follow(): Promise<void> {
    this.#tokens = await readActiveTokens(this.#options.pool);
    const wanted = describe(this.#tokens);
    if (wanted === this.#applied || this.#prices === null) return;
    const { loadSettings, log } = this.#options;
    const change = await this.#prices.apply(this.complete(await loadSettings()));
    this.#applied = wanted;
    log.info(change, "sources of terminals changed");
  }
}

/** Changes whenever the sources must be set up again. */
function describe(tokens: readonly ActiveToken[]): string {
  return JSON.stringify(tokens.map(({ source, symbols }) => [source, symbols]));
}

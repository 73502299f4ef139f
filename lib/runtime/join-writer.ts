import { type BookUpdate, createBook } from "@/lib/book/book";
import { UnfilledGaps } from "@/lib/history/gaps/gap-rows";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import { Origins } from "@/lib/history/origins";
import {
  dropInstruments,
  instrumentBySymbol,
  instruments,
  listChangedInstruments,
  putInstruments,
  raiseDigitsTo,
} from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { createSessions } from "@/lib/market/sessions/sessions";
import { type Database, joinDatabase } from "@/lib/platform/database/database";
import type { QuoteMessage } from "@/lib/readers/messages";
import type { WriterLink } from "@/lib/readers/writer-link";
import type { SourcesListener } from "@/lib/runtime/prices";
import { type openProcess, openReplica } from "@/lib/runtime/services";

/** A writer that started this process, or one on another machine. */
type Link = Pick<WriterLink, "follower">;

/** Joins a writer: receives its prices and its history, and uses its database, which may be open already. */
export async function joinWriter<OwnLink extends Link>(
  own: ReturnType<typeof openProcess>,
  link: OwnLink,
  opened?: Database,
) {
  const { config, log } = own;
  const { follower } = link;
  const { marketNow } = follower;
  const { sources: firstSources, isInPast, instruments: added = [] } = await follower.start();
  replaceInstruments(added);
  let sources = firstSources;
  const { databaseUrl, dataDir, sessionSecret: secret } = config;
  const database = opened ?? (await joinDatabase({ databaseUrl, dataDir, secret, log }));
  const book = createBook({ sources, now: marketNow });
  const sessions = createSessions(config.sessions);
  const replica = openReplica({ config, log }, database.pool);
  const keeper = new HistoryKeeper({ pool: database.pool, instruments, sources, sessions, marketNow, replica });
  const origins = new Origins({ pool: database.pool, log, readFence: () => null });
  await origins.start();
  const gaps = new UnfilledGaps({ pool: database.pool, log });
  await gaps.start();
  const sourcesListeners: SourcesListener[] = [];
  const listeners: ((quote: BookUpdate) => void)[] = [keeper.onQuote];
  let isRestored = false;

  const setSources: SourcesListener = (changed, dropped) => {
    sources = changed;
    book.setSources(changed, dropped);
    for (const listener of sourcesListeners) listener(changed, dropped);
  };

  function onQuotes(quotes: readonly QuoteMessage[]): void {
    for (const [source, symbol, bid, ask, timeMs, gapMs] of quotes) {
      const instrument = instrumentBySymbol.get(symbol);
      // Quotes that came before a change of the sources are passed on after it.
      if (instrument === undefined || !book.hasSource(source)) continue;
      raiseDigitsTo(instrument, bid, ask);
      const quote = { source, instrument, bid, ask, timeMs };
      book.accept(quote, gapMs);
      for (const listener of listeners) listener(quote);
    }
  }

  await follower.follow({
    replace(snapshot) {
      replaceInstruments(snapshot.instruments ?? []);
      setSources(snapshot.sources, new Set(sources.map(({ name }) => name)));
      onQuotes(snapshot.quotes);
    },
    async reload() {
      if (isRestored) await keeper.followClosedHours();
      await keeper.restore();
      isRestored = true;
    },
    onQuotes,
    onSources: setSources,
    onInstruments(put, dropped) {
      dropInstruments(dropped);
      putInstruments(put);
    },
    history: keeper,
  });
  keeper.onRecorded([], marketNow());
  const listSources = () => sources;
  return {
    ...own,
    ...{ listSources, marketNow, isInPast, book, link, database, sessions, keeper, replica, origins, gaps },
    onQuote: (listener: (quote: BookUpdate) => void) => void listeners.push(listener),
    onSources: (listener: SourcesListener) => void sourcesListeners.push(listener),
  };
}

/** Makes the catalog of this process that of its writer, which has these instruments beside the built-in ones. */
function replaceInstruments(added: readonly Instrument[]): void {
  const symbols = new Set(added.map(({ symbol }) => symbol));
  dropInstruments(listChangedInstruments().flatMap(({ symbol }) => (symbols.has(symbol) ? [] : symbol)));
  putInstruments(added);
}

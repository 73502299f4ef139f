import { localWindows } from "@/lib/access/admission/windows";
import { createBook } from "@/lib/book/book";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import { instrumentBySymbol, instruments } from "@/lib/market/catalog";
import { createSessions } from "@/lib/market/sessions/sessions";
import { linkToServer } from "@/lib/pages/server-link";
import { systemClock } from "@/lib/platform/clock";
import { joinDatabase } from "@/lib/platform/database";
import { openProcess, startServices } from "@/lib/runtime/services";

/**
 * Starts the process of the pages: the server counts the calls, so its counters and its status are read over the link.
 */
export async function startPages() {
  const joined = await joinServer();
  const { link } = joined;
  const services = await startServices({ ...joined, windows: localWindows });
  return { ...services, link, behindOwnServer: true, counters: link.counters, serverStatus: link.status };
}

/** Joins the server that forked this process: follows its prices and its history, and uses its database. */
export async function joinServer() {
  const link = await linkToServer(systemClock);
  const own = openProcess();
  const { config, log } = own;
  const { sources, marketNow } = link;
  const database = await joinDatabase({ databaseUrl: config.databaseUrl, dataDir: config.dataDir, log });
  const book = createBook({ instruments, sources, now: marketNow });
  const sessions = createSessions(config.sessions);
  const keeper = new HistoryKeeper({ pool: database.pool, instruments, sources, sessions, marketNow });
  await keeper.readJournal();
  link.follow((quote) => {
    book.accept(quote);
    keeper.onQuote(quote);
  }, instrumentBySymbol);
  keeper.onRecorded([], marketNow());
  link.followHistory(keeper);
  return { ...own, link, database, sources, marketNow, book, sessions, keeper, refreshOther: link.refresh };
}

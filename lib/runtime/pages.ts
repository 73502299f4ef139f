import { localWindows } from "@/lib/access/admission/windows";
import { joinComponents } from "@/lib/api/service/health-check";
import { createBook } from "@/lib/book/book";
import { UnfilledGaps } from "@/lib/history/gaps/unfilled-gaps";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import { Origins } from "@/lib/history/origins";
import { instrumentBySymbol, instruments } from "@/lib/market/catalog";
import { createSessions } from "@/lib/market/sessions/sessions";
import { linkToServer, type ServerLink } from "@/lib/pages/server-link";
import { joinDatabase } from "@/lib/platform/database/database";
import { monotonicClock } from "@/lib/platform/timing/clock";
import { openProcess, startServices } from "@/lib/runtime/services";

/** Starts the process of the pages. Counters and status are read over the link, because the server counts the calls. */
export async function startPages() {
  const joined = await joinServer();
  const { link } = joined;
  const services = await startServices({ ...joined, terminals: null, windows: localWindows });
  return {
    ...services,
    ...readOverLink(link),
    link,
    behindOwnServer: true,
    answersCalls: false,
    counters: link.counters,
  };
}

/** The state of the server, as it reports it every few seconds. */
export function readOverLink(link: ServerLink) {
  const unknown = joinComponents({ server: { status: "down", detail: "it has not reported yet" } });
  return {
    readHealth: () => link.status()?.health ?? unknown,
    serverStatus: async () => link.status(),
  };
}

/** Joins the server that forked this process: receives its prices and its history, and uses its database. */
export async function joinServer() {
  const link = await linkToServer(monotonicClock);
  const own = openProcess();
  const { config, log } = own;
  const { marketNow, isInPast } = link;
  let { sources } = link;
  const { databaseUrl, dataDir, sessionSecret: secret } = config;
  const database = await joinDatabase({ databaseUrl, dataDir, secret, log });
  const book = createBook({ instruments, sources, now: marketNow });
  const sessions = createSessions(config.sessions);
  const keeper = new HistoryKeeper({ pool: database.pool, instruments, sources, sessions, marketNow });
  await keeper.restore();
  const origins = new Origins({ pool: database.pool, log, isFollower: true });
  await origins.start();
  const gaps = new UnfilledGaps({ pool: database.pool, log });
  await gaps.start();
  link.follow((quote) => {
    // Quotes that came before a change of the sources are passed on after it.
    if (!book.hasSource(quote.source)) return;
    book.accept(quote);
    keeper.onQuote(quote);
  }, instrumentBySymbol);
  link.followSources((changed, dropped) => {
    sources = changed;
    book.setSources(changed, dropped);
  });
  keeper.onRecorded([], marketNow());
  link.followHistory(keeper);
  const listSources = () => sources;
  const market = { listSources, marketNow, isInPast, book };
  return { ...own, ...market, link, database, sessions, keeper, origins, gaps, refreshOther: link.refresh };
}

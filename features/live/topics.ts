import { readNews } from "@/features/alerts/data";
import { followFirings } from "@/features/alerts/firing-feed";
import { followBoard, readSnapshot } from "@/features/quotes/broadcast";
import { refuse, refuseSignedOut, refuseStale, TOO_MANY_REQUESTS } from "@/features/session/data-route";
import { answerEvents, type Topic } from "@/features/session/event-stream";
import type { StreamOwner } from "@/features/session/open-streams";
import { getCurrentAccount } from "@/features/session/session";
import { findStreamOwner, isWithinDemoLimit, isWithinPageLimit } from "@/features/session/viewer";
import { followDrawings } from "@/features/symbols/drawing-feed";
import { readLive, readLiveRequest } from "@/features/symbols/read-live";
import { followSymbol } from "@/features/symbols/stream-symbol";
import type { Account } from "@/lib/access/accounts/account";
import { getEntitlements } from "@/lib/access/plans";
import { instrumentBySymbol, instruments } from "@/lib/market/catalog";
import { getRuntime, type Runtime } from "@/lib/runtime";

/**
 * The live data of the dashboard by topic, so that one connection brings a browser all that its windows show: `board`,
 * `alerts`, `symbol/EURUSD?timeframe=M15&compare=GBPUSD`, and `drawings/EURUSD`, which tells when they have changed.
 */

interface LiveTopic extends Topic {
  /** The topic's data now, for a browser without a stream. */
  read(): Promise<object>;
}

/** The most topics of a request; further ones are left out. */
const MOST_TOPICS = 16;

/** Answers the topics of the query as server-sent events. */
export function answerLiveStream(request: Request): Promise<Response> {
  return answerOwner(request, (runtime, owner, topics) =>
    answerEvents(
      runtime,
      owner,
      request.signal,
      topics.flatMap(({ topic }) => topic ?? []),
    ),
  );
}

/**
 * Answers the topics of the query as they are now; null for one that is unknown or whose prices are too old, and 503 if
 * there is no other.
 */
export function answerLiveNow(request: Request): Promise<Response> {
  return answerOwner(request, async (_, { isDemo }, topics, account) => {
    if (isDemo && !(await isWithinDemoLimit())) return refuse(429, "Too many requests of the demo");
    if (account !== null && !(await isWithinPageLimit(account))) return refuse(429, TOO_MANY_REQUESTS);
    const known = topics.flatMap(({ topic }) => topic ?? []);
    if (known.every(isStale)) return refuseStale();
    const results = await Promise.all(
      topics.map(async ({ name, topic }) => {
        return { topic: name, message: topic === null || isStale(topic) ? null : await topic.read() };
      }),
    );
    return Response.json({ results }, { headers: { "Cache-Control": "no-store" } });
  });
}

const isStale = (topic: Topic): boolean => topic.isStale?.() === true;

type NamedTopic = { readonly name: string; readonly topic: LiveTopic | null };

/**
 * Answers the caller, unless the query names another account. All windows of a browser send the same cookie, also
 * those that still show the account that was signed in before.
 */
async function answerOwner(
  { url }: Request,
  answer: (
    runtime: Runtime,
    owner: StreamOwner,
    topics: readonly NamedTopic[],
    account: Account | null,
  ) => Response | Promise<Response>,
): Promise<Response> {
  const owner = await findStreamOwner();
  const query = new URL(url).searchParams;
  if (owner === null || (query.get("account") ?? owner.accountId) !== owner.accountId) return refuseSignedOut();
  const runtime = await getRuntime();
  const names = [...new Set(query.getAll("topic"))].slice(0, MOST_TOPICS);
  const account = await getCurrentAccount();
  const hasEverySymbol =
    account === null || getEntitlements(account.plan, "standard").streamSymbols >= instruments.length;
  const topics = names.map((name) => ({ name, topic: findTopic(runtime, owner, name, hasEverySymbol) }));
  if (topics.every(({ topic }) => topic === null)) return refuse(404, "Unknown topics");
  return answer(runtime, owner, topics, account);
}

function findTopic(runtime: Runtime, owner: StreamOwner, name: string, hasEverySymbol: boolean): LiveTopic | null {
  const { accountId, isDemo } = owner;
  if (name === "board")
    return { ...followBoard(runtime, hasEverySymbol), read: async () => readSnapshot(runtime, owner) };
  if (name === "alerts" && !isDemo) {
    return { ...followFirings(runtime, accountId), read: () => readNews(runtime, accountId) };
  }
  const drawn = name.startsWith("drawings/") ? name.slice("drawings/".length) : null;
  if (drawn !== null && !isDemo && instrumentBySymbol.has(drawn)) {
    const own = { accountId, symbol: drawn };
    const read = async () => ({ stamp: (await runtime.drawings.readStamps([own]))[0] ?? "" });
    return { ...followDrawings(runtime, name, own), read };
  }
  const [path = "", query] = name.split("?", 2);
  if (!path.startsWith("symbol/")) return null;
  const request = readLiveRequest(path.slice("symbol/".length), new URLSearchParams(query));
  if (request === null) return null;
  return { ...followSymbol(runtime, name, request), read: () => readLive(runtime, request) };
}

import type { Metadata } from "next";
import type { ReactNode } from "react";
import { PageHeader } from "@/components/shell/page-header";
import { getButtonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { readAt, toAt, withAt } from "@/components/ui/past-address";
import { toAddress, toSearch } from "@/features/session/address";
import { type MarketAt, openMarketAt, type PastProblem } from "@/features/session/past";
import { requireViewer } from "@/features/session/viewer";
import type { Account } from "@/lib/access/accounts/account";
import { formatPlansWith } from "@/lib/access/plans";
import type { Runtime } from "@/lib/runtime";

/**
 * The pages of the market: at the present, or at the second of the past that their address names. Pages get their
 * services only here, and their data routes from `createViewRoute`, so that nothing of the present is on a page of the
 * past.
 */

type Params = Readonly<Record<string, string | string[] | undefined>>;

interface MarketPage {
  readonly account: Account;
  readonly runtime: Runtime;
  /** Whether the page shows a second of the past. Its services have that second as their market time. */
  readonly isPast: boolean;
  /** What the page shows instead, where it cannot show that second; null where it can. */
  readonly refusal: ReactNode;
}

interface PageFacts {
  readonly title: string;
  readonly path: string;
  readonly params: Params;
  /** What the page cannot do without. */
  readonly needs?: "prices" | "events";
}

/** Opens a page of the market for its viewer. Other visitors are redirected to sign in. */
export async function openMarketPage({ title, path, params, needs = "prices" }: PageFacts): Promise<MarketPage> {
  const here = toAddress(path, params);
  const account = await requireViewer(here);
  const market: MarketAt = await openMarketAt(account, readAt(toSearch(params)));
  const { runtime, isPast, missing } = market;
  const gap = missing?.[needs] ?? null;
  const problem = market.problem ?? (gap === null ? null : ({ kind: "gap", ...gap } as const));
  const refusal = problem && <PastRefusal title={title} here={here} problem={problem} />;
  return { account, runtime, isPast, refusal };
}

/** The title of a page of the market, which tells in the list of tabs that it shows the past. */
export function createMarketMetadata(title: string) {
  return async ({ searchParams }: { searchParams: Promise<Params> }): Promise<Metadata> => ({
    title: formatMarketTitle(title, await searchParams),
  });
}

export function formatMarketTitle(title: string, params: Params): string {
  const at = readAt(toSearch(params));
  return at === null ? title : `Past ${at.replace("T", " ").replace("Z", " UTC")} · ${title}`;
}

interface RefusalProps {
  title: string;
  /** The address of the page. */
  here: string;
  problem: PastProblem;
}

/** In place of a page that cannot show the second of its address: why, and where to go. */
function PastRefusal({ title, here, problem }: RefusalProps) {
  return (
    <>
      <PageHeader title={title} />
      <EmptyState
        title={TITLES[problem.kind]}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            {problem.kind === "gap" && <NearestLinks here={here} {...problem} />}
            {problem.kind === "locked" && (
              <Link href="/plan" className={getButtonClass("primary")}>
                Plans
              </Link>
            )}
            <Link href={withAt(here, null)} leavesSecond className={getButtonClass("secondary")}>
              Back to live
            </Link>
          </div>
        }
      >
        {describe(problem)}
      </EmptyState>
    </>
  );
}

const TITLES: Readonly<Record<PastProblem["kind"], string>> = {
  locked: "The past is not part of your plan",
  unreadable: "This address has no valid time",
  future: "That second has not come yet",
  gap: "Nothing was recorded then",
};

function describe(problem: PastProblem): string {
  if (problem.kind === "locked") {
    return `Every recorded second is part of these plans: ${formatPlansWith("ticks")}. Nothing of the past is shown.`;
  }
  if (problem.kind === "unreadable") return "Its parameter at is no time such as 2026-11-27T13:30:00Z.";
  if (problem.kind === "future") return "Choose a second that has passed.";
  const isAlone = problem.beforeMs === null && problem.afterMs === null;
  return isAlone ? "There are no recorded times at all." : "These are the nearest recorded times.";
}

function NearestLinks({ here, beforeMs, afterMs }: { here: string; beforeMs: number | null; afterMs: number | null }) {
  return [beforeMs, afterMs].map(
    (atMs, index) =>
      atMs !== null && (
        <Link
          key={index}
          href={withAt(here, toAt(Math.ceil(atMs / 1000) * 1000))}
          leavesSecond
          className={getButtonClass("primary")}
        >
          {index === 0 ? "Before: " : "After: "}
          {new Date(atMs).toISOString().slice(0, 19).replace("T", " ")} UTC
        </Link>
      ),
  );
}

"use client";

import { CalendarClock, History, Pause, Play, Radio } from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState, useTransition } from "react";
import { isMarketPage } from "@/components/shell/pages";
import {
  findLatest,
  findReached,
  parseAt,
  type PastFacts,
  type Speed,
  SPEEDS,
  stepFrom,
  takeFocus,
} from "@/components/shell/past-steps";
import { showCommandDialog } from "@/components/shell/shortcuts";
import { announce } from "@/components/ui/announcer";
import { toAt, withAt } from "@/components/ui/past-address";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

interface PastBarProps extends PastFacts {
  /** What the address names as the past. */
  at: string;
}

const STEPS = [
  { label: "−1 min", name: "One minute back", ms: -MINUTE_MS },
  { label: "−1 s", name: "One second back", ms: -SECOND_MS },
  { label: "+1 s", name: "One second on", ms: SECOND_MS },
  { label: "+1 min", name: "One minute on", ms: MINUTE_MS },
] as const;

const BUTTON_CLASS =
  "inline-flex h-7 flex-none items-center justify-center gap-1.5 rounded-sm border border-current px-2 text-xs13 whitespace-nowrap hover:bg-bg hover:text-warn focus-visible:outline-bg aria-pressed:bg-bg aria-pressed:text-warn disabled:opacity-60 max-md:h-9";

/**
 * The bar of the past: which second the page shows, and the steps to others. Each step renders the page for the next
 * second; the next one waits for it.
 */
export default function PastBar({ at, zone, aheadMs }: PastBarProps) {
  const path = usePathname();
  const bar = useRef<HTMLElement>(null);
  const atMs = parseAt(at);
  const isMarket = isMarketPage(path);
  const { go, isPlaying, play, pause, speed, chooseSpeed } = usePlay(atMs, aheadMs);
  usePastIcon();
  useEffect(() => {
    if (takeFocus()) bar.current?.focus();
  }, [at]);
  const presentMs = () => Date.now() + aheadMs;
  const toggle = () => (isPlaying ? pause() : play());

  function step(byMs: number): void {
    if (atMs === null) return;
    pause();
    go(stepFrom(atMs, byMs, presentMs()));
  }

  async function goToRelease(): Promise<void> {
    pause();
    const next = await fetchNextRelease(at);
    if (next === null || next.timeMs > findLatest(presentMs())) return announce("No later release has been so far");
    go(next.timeMs);
    announce(`${next.currency} ${next.title}`);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (direction !== undefined) step(direction * (event.shiftKey ? MINUTE_MS : SECOND_MS));
    else if (event.key === " " && event.target === bar.current) toggle();
    else if (event.key === "Escape" && isPlaying) pause();
    else if (event.key === "Escape") go(null);
    else return;
    event.preventDefault();
  }

  if (!isMarket) {
    return (
      <Strip bar={bar} isMarket={false} onKeyDown={onKeyDown}>
        <p className="mr-auto">
          This page is of the present. The pages of the market show <PastTime {...{ at, atMs, zone }} />.
        </p>
        <LiveButton onClick={() => go(null)} />
      </Strip>
    );
  }
  return (
    <Strip bar={bar} isMarket onKeyDown={onKeyDown}>
      <p className="mr-auto flex items-center gap-2 max-md:w-full">
        <History aria-hidden size={16} className="flex-none" />
        <span>
          <strong>Past</strong> <PastTime {...{ at, atMs, zone }} />
        </span>
      </p>
      {atMs !== null && (
        <div className="flex flex-wrap items-center gap-1.5 max-md:min-w-0 max-md:flex-1 max-md:flex-nowrap max-md:overflow-x-auto">
          <div role="group" aria-label="Step" className="flex gap-1">
            {STEPS.map(({ label, name, ms }) => (
              <button key={label} type="button" title={name} className={BUTTON_CLASS} onClick={() => step(ms)}>
                {label}
              </button>
            ))}
            <button
              type="button"
              title="The next release of medium or high impact"
              className={BUTTON_CLASS}
              onClick={() => void goToRelease()}
            >
              Next release
            </button>
          </div>
          <div role="group" aria-label="Play" className="flex gap-1">
            <button type="button" className={BUTTON_CLASS} onClick={toggle}>
              {isPlaying ? <Pause aria-hidden size={14} /> : <Play aria-hidden size={14} />}
              {isPlaying ? "Pause" : "Play"}
            </button>
            {SPEEDS.map((each) => (
              <button
                key={each}
                type="button"
                title={each === 1 ? "As fast as it was" : `${each} times as fast`}
                aria-pressed={each === speed}
                className={BUTTON_CLASS}
                onClick={() => chooseSpeed(each)}
              >
                {each}×
              </button>
            ))}
          </div>
        </div>
      )}
      <button
        type="button"
        aria-label="Choose another second"
        title="Choose another second (T)"
        className={BUTTON_CLASS}
        onClick={() => showCommandDialog("past")}
      >
        <CalendarClock aria-hidden size={14} />
      </button>
      <LiveButton onClick={() => go(null)} />
    </Strip>
  );
}

interface StripProps {
  bar: React.RefObject<HTMLElement | null>;
  isMarket: boolean;
  onKeyDown: (event: KeyboardEvent) => void;
  children: ReactNode;
}

/** The strip above the page. On pages of the market it is coloured, and so is the edge of the window. */
function Strip({ bar, isMarket, onKeyDown, children }: StripProps) {
  const look = isMarket ? "bg-warn text-bg" : "border-b border-line bg-panel text-dim";
  return (
    <>
      <section
        ref={bar}
        data-past
        aria-label="Past"
        // The arrow keys step while it has the focus.
        tabIndex={0}
        onKeyDown={onKeyDown}
        className={`sticky top-0 z-30 flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1.5 px-4 py-1.5 text-xs13 max-md:px-3 ${look} focus-visible:outline-2 focus-visible:-outline-offset-4 focus-visible:outline-bg`}
      >
        {children}
      </section>
      {isMarket && (
        <div aria-hidden className="pointer-events-none fixed inset-0 z-30 border-3 border-warn print:hidden" />
      )}
    </>
  );
}

function LiveButton({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" className={BUTTON_CLASS} onClick={onClick}>
      <Radio aria-hidden size={14} />
      Back to live
    </button>
  );
}

/** The second in the reader's zone and in UTC. */
function PastTime({ at, atMs, zone }: { at: string; atMs: number | null; zone: string }) {
  if (atMs === null) return <span translate="no">{at.slice(0, 40)} is no time</span>;
  const utc = new Date(atMs).toISOString();
  const isUtc = zone === "UTC";
  return (
    <time dateTime={utc} className="numerals">
      {!isUtc && `${formatIn(zone, atMs)} ${zone} · `}
      {isUtc ? formatIn(zone, atMs) : utc.slice(11, 19)} UTC
    </time>
  );
}

function formatIn(zone: string, atMs: number): string {
  const format = new Intl.DateTimeFormat("en-GB", {
    ...{ timeZone: zone, weekday: "short", day: "numeric", month: "short", year: "numeric" },
    ...{ hour: "2-digit", minute: "2-digit", second: "2-digit" },
  });
  return format.format(atMs);
}

const TICK_MS = 1_000;
/** Another page may be loading, which the next step would cancel. */
const HELD_MS = 4_000;

/** Plays the past: a step a second, of as many seconds as the speed. A step waits until the one before is shown. */
function usePlay(atMs: number | null, aheadMs: number) {
  const router = useRouter();
  const path = usePathname();
  const [isPending, startTransition] = useTransition();
  const [isPlaying, setIsPlaying] = useState(false);
  const [speed, setSpeed] = useState<Speed>(1);
  const heldUntil = useRef(0);

  function go(nextMs: number | null): void {
    const href = withAt(location.pathname + location.search, nextMs === null ? null : toAt(nextMs));
    startTransition(() => {
      if (nextMs === null) router.push(href, { scroll: false });
      else router.replace(href, { scroll: false });
    });
  }

  const start = useEffectEvent(() => ({ fromMs: atMs ?? 0, startedAt: performance.now() }));
  const tick = useEffectEvent(({ fromMs, startedAt }: ReturnType<typeof start>) => {
    const now = performance.now();
    if (isPending || document.hidden || now < heldUntil.current) return;
    const presentMs = Date.now() + aheadMs;
    const { atMs: nextMs, hasEnded } = findReached({ fromMs, speed, playedMs: now - startedAt, presentMs });
    if (hasEnded) {
      setIsPlaying(false);
      announce("The present is reached");
    }
    if (nextMs !== atMs) go(nextMs);
  });
  useEffect(() => {
    if (!isPlaying) return;
    const run = start();
    const timer = setInterval(() => tick(run), TICK_MS);
    const hold = (event: Event) => {
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest("[data-past]") === null && (event.type === "keydown" || target.closest("a") !== null))
        heldUntil.current = performance.now() + HELD_MS;
    };
    addEventListener("click", hold, { capture: true });
    addEventListener("keydown", hold, { capture: true });
    return () => {
      clearInterval(timer);
      removeEventListener("click", hold, { capture: true });
      removeEventListener("keydown", hold, { capture: true });
    };
  }, [isPlaying, speed]);
  useEffect(() => void (heldUntil.current = 0), [path]);

  return {
    go,
    isPlaying,
    speed,
    play: () => setIsPlaying(true),
    pause: () => setIsPlaying(false),
    chooseSpeed: setSpeed,
  };
}

interface NextRelease {
  readonly timeMs: number;
  readonly currency: string;
  readonly title: string;
}

async function fetchNextRelease(at: string): Promise<NextRelease | null> {
  const answer = await fetch(withAt("/calendar/next", at), { cache: "no-store" }).catch(() => null);
  return answer?.ok ? ((await answer.json()) as { next: NextRelease | null }).next : null;
}

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#f29a5b"/><path d="M16 8v8l-6 4" stroke="#0d0e0e" stroke-width="3" fill="none" stroke-linecap="round"/></svg>',
)}`;

/** The icon of the tab is another one while it shows the past. */
function usePastIcon(): void {
  useEffect(() => {
    const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="icon"]')];
    const before = links.map(({ href }) => href);
    for (const link of links) link.href = ICON;
    return () => links.forEach((link, index) => (link.href = before[index] as string));
  }, []);
}

import { Wordmark } from "@/components/shell/wordmark";
import { getButtonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import type { Theme } from "@/components/ui/theme";
import { ThemeSwitch } from "@/components/ui/theme-switch";
import { CallJson } from "@/features/landing/call-json";
import type { LandingQuote } from "@/features/landing/data";
import { LiveQuote } from "@/features/landing/live-quote";

interface LandingPageProps {
  /** Null shows an example in its place. */
  quote: LandingQuote | null;
  /** The origin of the API. */
  origin: string;
  canSignUp: boolean;
  /** Whether this installation has no account yet. */
  isNew: boolean;
  /** Admits the visitor to the demo; null without one. */
  demo: (() => Promise<void>) | null;
  /** Whether the visitor comes from a demo that has answered too many requests. */
  isDemoBusy: boolean;
  theme: Theme;
}

const OPENAPI = "/v1/openapi.json";

const POINTS = [
  {
    title: "Every price has its age",
    text: "A quote carries its broker’s time and its state: live, delayed, stale or closed. An old price is never shown as fresh, and an average is never shown as a quote.",
  },
  {
    title: "Several brokers, one symbol",
    text: "EURUSD, EUR/USD and EURUSD.pro are one instrument. When the first source goes quiet, the next one serves, and each answer names its source.",
  },
  {
    title: "On your own machine",
    text: "Ticks, bars, spreads, 42 indicators, currency strength and the economic calendar, recorded and served by one process. PostgreSQL is part of it, or you bring your own.",
  },
] as const;

/** The first page for visitors without a session. */
export function LandingPage({ quote, origin, canSignUp, isNew, demo, isDemoBusy, theme }: LandingPageProps) {
  return (
    <div className="mx-auto grid min-h-dvh max-w-[76rem] grid-rows-[auto_1fr_auto] px-6 max-md:px-4">
      <header className="flex h-16 items-center gap-2">
        <Wordmark />
        <nav aria-label="Main" className="ml-auto flex items-center gap-1">
          <Link href="/docs" className={getButtonClass("quiet", "sm")}>
            Docs
          </Link>
          {!isNew && (
            <Link href="/sign-in" className={getButtonClass("quiet", "sm")}>
              Sign in
            </Link>
          )}
          <ThemeSwitch initial={theme} name="landing-theme" />
        </nav>
      </header>
      <main id="content" className="self-center py-8 max-md:py-6">
        <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,30rem)] items-center gap-x-16 gap-y-10 max-lg:grid-cols-1">
          <div>
            <h1 className="text-[3.25rem]/[3.5rem] font-semibold tracking-[-0.04em] text-balance max-md:text-[2.25rem]/[2.5rem]">
              Your brokers&rsquo; prices in.
              <br />
              <span className="text-dim">One JSON API out.</span>
            </h1>
            <p className="mt-6 max-w-[34rem] text-[1.0625rem]/7 text-pretty text-dim">
              Spotline collects quotes for foreign exchange and CFDs from every source you connect, checks them, records
              each second, and serves them under one set of symbols: as JSON for your programs and as a dashboard for
              you.
            </p>
            {isDemoBusy && (
              <div className="mt-6">
                <Notice tone="error">Your network has opened too many pages of the demo. Try again in a minute.</Notice>
              </div>
            )}
            <div className="mt-8 flex flex-wrap gap-3">
              {demo !== null && (
                <form action={demo}>
                  <button type="submit" className={getButtonClass("primary")}>
                    Look around
                  </button>
                </form>
              )}
              {isNew && (
                <Link href="/setup" className={getButtonClass("primary")}>
                  Set up this installation
                </Link>
              )}
              {canSignUp && !isNew && (
                <Link href="/sign-up" className={getButtonClass(demo === null ? "primary" : "secondary")}>
                  Create an account
                </Link>
              )}
              {!isNew && (
                <Link href="/sign-in" className={getButtonClass(canSignUp || demo !== null ? "secondary" : "primary")}>
                  Sign in
                </Link>
              )}
              <Link href="/docs" className={getButtonClass("quiet")}>
                Documentation
              </Link>
            </div>
          </div>
          {quote === null ? <Example origin={origin} /> : <LiveQuote initial={quote} origin={origin} />}
        </div>
        <ul className="mt-14 grid grid-cols-3 gap-x-12 gap-y-8 border-t border-line pt-8 max-lg:mt-12 max-lg:grid-cols-1">
          {POINTS.map(({ title, text }) => (
            <li key={title}>
              <h2 className="font-medium">{title}</h2>
              <p className="mt-1.5 max-w-[26rem] text-pretty text-dim">{text}</p>
            </li>
          ))}
        </ul>
      </main>
      <footer className="flex flex-wrap items-center gap-x-6 gap-y-1 border-t border-line py-5 text-xs13 text-faint">
        <span>Spotline, self-hosted market data</span>
        <a href={OPENAPI} className="ml-auto underline-offset-4 hover:text-ink hover:underline max-md:ml-0">
          {OPENAPI}
        </a>
      </footer>
    </div>
  );
}

const EXAMPLE = {
  symbol: "EURUSD",
  bid: 1.08523,
  ask: 1.08531,
  spread: 0.00008,
  spreadPips: 0.8,
  timeMs: Date.UTC(2026, 0, 5, 14, 3, 27),
  source: "broker-a",
};

/** A call with an example's figures, where no quote may be shown. */
function Example({ origin }: { origin: string }) {
  return (
    <figure className="overflow-hidden rounded-lg border border-line bg-panel">
      <figcaption className="px-5 py-2.5 text-xs12 text-faint">An example, not a current price</figcaption>
      <CallJson quote={EXAMPLE} origin={origin} />
    </figure>
  );
}

import { PanelLine, PanelPart } from "@/features/symbols/panel/panel-part";
import type { SpreadFigures } from "@/features/symbols/panel/panel-types";
import { type LiveStore, useLive } from "@/features/symbols/stream/live-store";

interface SpreadPartProps {
  symbol: string;
  /** Of the last 24 hours; null if nothing was recorded. */
  figures: SpreadFigures | null;
  live: LiveStore;
}

/** The spread now, beside those of the last 24 hours. */
export function SpreadPart({ symbol, figures, live }: SpreadPartProps) {
  const { quote } = useLive(live).live;
  const now = quote?.spreadPips ?? null;
  const isWide = now !== null && figures !== null && now > figures.p95;
  return (
    <PanelPart
      id="spread-title"
      title="Spread in pips, 24 hours"
      href={`/spreads?symbols=${symbol}`}
      linkText="History"
    >
      {figures === null ? (
        <p className="text-xs13 text-dim">Nothing was recorded in the last 24 hours.</p>
      ) : (
        <dl>
          <PanelLine name="Now">
            <span className={`numerals ${isWide ? "text-warn" : ""}`}>{now?.toFixed(1) ?? "–"}</span>
            {isWide && <span className="ml-2 text-xs12 text-warn">wider than in 95 %</span>}
          </PanelLine>
          <PanelLine name="Mean">
            <span className="numerals">{figures.avg.toFixed(2)}</span>
          </PanelLine>
          <PanelLine name="5–95 % of the time">
            <span className="numerals">
              {figures.p5.toFixed(1)}–{figures.p95.toFixed(1)}
            </span>
          </PanelLine>
        </dl>
      )}
    </PanelPart>
  );
}

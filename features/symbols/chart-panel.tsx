"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { PanelLoading, PanelMessage } from "@/components/shared/panel";
import { useShownAt } from "@/components/ui/past";
import { isStillPast, withAt } from "@/components/ui/past-address";
import type { CrosshairLink } from "@/features/symbols/chart-canvas";
import { ChartFrame } from "@/features/symbols/chart-frame";
import { ChartNotes } from "@/features/symbols/chart-notes";
import { IndicatorDialog } from "@/features/symbols/indicator-dialog";
import type { ChartData, IndicatorLook } from "@/features/symbols/types";
import { type ChartChoice, type Layer, LAYERS } from "@/features/symbols/url";
import { useChart } from "@/features/symbols/use-chart";
import type { Timeframe } from "@/lib/market/timeframe";

/** What a chart of a screen shows. */
interface ChartSettings {
  readonly symbol: string;
  readonly timeframe: Timeframe;
  readonly indicators: readonly string[];
  /** Names of layers. Those of a later version are ignored. */
  readonly layers: readonly string[];
}

export interface ChartPanelProps {
  settings: ChartSettings;
  onChange: (change: Partial<ChartSettings>) => void;
  /** Whether the dialog of indicators is open. */
  isChoosing: boolean;
  onChosen: () => void;
  crosshair?: CrosshairLink | undefined;
}

/** One chart of a screen. Its choices are kept by the screen, and not in the address of the page. */
export function ChartPanel(props: ChartPanelProps) {
  const { symbol, timeframe, indicators } = props.settings;
  const at = useShownAt();
  const query = new URLSearchParams({ timeframe });
  if (indicators.length > 0) query.set("indicators", indicators.join());
  const wanted = query.toString();
  const [requested, setRequested] = useState({ symbol, query: wanted });
  // A chart of the present loads other timeframes and indicators itself. Another symbol, and the past, begin anew.
  if (requested.symbol !== symbol || (at !== null && requested.query !== wanted))
    setRequested({ symbol, query: wanted });
  const url = `/symbols/${requested.symbol}/chart?${requested.query}`;
  const { data, error, failureCount } = useQuery<ChartData, Error>({
    queryKey: ["chart", url, at],
    async queryFn({ signal }) {
      const answer = await fetch(withAt(url, at), { signal, cache: "no-store" });
      if (!answer.ok) throw new Error(answer.status === 404 ? "unknown" : `The server answered ${answer.status}`);
      return (await answer.json()) as ChartData;
    },
    placeholderData: (before, former) =>
      former?.queryKey[1] === url && isStillPast(former.queryKey[2] as string | null, at) ? before : undefined,
    retry: (count, { message }) => message !== "unknown" && (count < 3 || at === null),
    retryDelay: 3_000,
    staleTime: Infinity,
    gcTime: 0,
    networkMode: "always",
  });
  if (data !== undefined) return <LoadedChart key={symbol} {...props} data={data} firstQuery={requested.query} />;
  if (error !== null) {
    return (
      <PanelMessage title={error.message === "unknown" ? `There is no symbol ${symbol}` : `${symbol} cannot be shown`}>
        {error.message === "unknown"
          ? "Choose another one."
          : "Nothing was recorded then, or the server did not answer."}
      </PanelMessage>
    );
  }
  return failureCount > 0 ? (
    <PanelMessage title="The chart could not be loaded">Trying again.</PanelMessage>
  ) : (
    <PanelLoading what={`the chart of ${symbol}`} />
  );
}

interface LoadedChartProps extends ChartPanelProps {
  data: ChartData;
  /** The query that the first data was read with. */
  firstQuery: string;
}

function LoadedChart({ data, firstQuery, settings, onChange, isChoosing, onChosen, crosshair }: LoadedChartProps) {
  const { symbol, timeframe, indicators } = settings;
  const { instrument, looks, listed, mayRead } = data;
  const [added, setAdded] = useState<readonly IndicatorLook[]>([]);
  const layers = useMemo(() => LAYERS.filter((layer) => settings.layers.includes(layer)), [settings.layers]);
  const choice = useMemo(() => toChoice(timeframe, indicators, layers), [timeframe, indicators, layers]);
  const [first] = useState(() => {
    const query = new URLSearchParams(firstQuery);
    const names = query.get("indicators")?.split(",") ?? [];
    return toChoice((query.get("timeframe") ?? timeframe) as Timeframe, names, layers);
  });
  // Where a chart is scrolled to is not part of a screen.
  const { live, bars, setScene, compared, marks, onView, firstView } = useChart({
    ...{ symbol, choice, first, initial: data },
    change: ignore,
  });
  const chosenLooks = useMemo(
    () => indicators.flatMap((name) => [...looks, ...added].find((look) => look.name === name) ?? []),
    [indicators, looks, added],
  );
  return (
    <div className="flex h-full min-h-0 flex-col">
      <IndicatorDialog
        isOpen={isChoosing}
        looks={looks}
        chosen={indicators}
        isLocked={!mayRead.indicatorHistory}
        listed={listed}
        digits={instrument.digits}
        onChange={(names, more = []) => {
          setAdded((before) => [...before, ...more]);
          onChange({ indicators: names });
        }}
        onClose={onChosen}
      />
      <ChartNotes bars={bars} live={live} lacksIndicators={indicators.length > 0 && !mayRead.indicatorHistory} />
      {bars.loaded?.store.bars.length === 0 ? (
        <PanelMessage title={`No ${timeframe} bar of ${symbol} yet`}>
          The first bar starts with the first price.
        </PanelMessage>
      ) : (
        <ChartFrame
          {...{ instrument, bars, live, compared, marks, onView, firstView, crosshair }}
          className="min-h-0 flex-1"
          style={choice.style}
          scale={choice.scale}
          looks={mayRead.indicatorHistory ? chosenLooks : []}
          layers={layers}
          hasReleases={mayRead.calendar && layers.includes("events")}
          onTimeframe={(next) => onChange({ timeframe: next })}
          onRemove={(name) => onChange({ indicators: indicators.filter((each) => each !== name) })}
          onScene={setScene}
        />
      )}
    </div>
  );
}

const ignore = (): void => {};

const toChoice = (timeframe: Timeframe, indicators: readonly string[], layers: readonly Layer[]): ChartChoice => ({
  ...{ timeframe, indicators, layers },
  ...{ compare: null, style: "candles", scale: "linear", price: "bid", brick: null, fromMs: null, toMs: null },
});

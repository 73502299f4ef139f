import type { DataMode } from "@/lib/market/tick";

/** Below the badge, or below the page's header in browsers without anchor positioning. */
const POPOVER_CLASS =
  "inset-auto m-1.5 w-[min(20rem,calc(100vw-1rem))] rounded-lg border border-line bg-raised p-3 shadow-float [position-area:bottom_span-left] [position-try-fallbacks:flip-inline] not-supports-[position-area:bottom]:top-12 not-supports-[position-area:bottom]:right-2";

const MODES = {
  simulated: {
    label: "Simulated",
    text: "These prices are simulated. They follow no real market. Use them for testing, never to trade.",
  },
  replay: {
    label: "Replay",
    text: "These prices were recorded earlier and are replayed. They are not today’s market.",
  },
} as const;

/** Labels prices or events that do not come from a live market. */
export function DataModeBadge({ mode, what = "prices" }: { mode: DataMode; what?: "prices" | "events" }) {
  if (mode === "live") return null;
  const { label, text: priceText } = MODES[mode];
  const text = priceText.replace("prices", what);
  const id = `data-mode-${mode}`;
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        title={text}
        className="inline-flex h-6 items-center rounded-sm border border-dashed border-note px-2 text-xs12 whitespace-nowrap text-note hover:bg-hover"
      >
        {label}
        <span className="sr-only"> data: what does this mean?</span>
      </button>
      <div id={id} popover="auto" className={POPOVER_CLASS}>
        <p className="font-medium">{label} data</p>
        <p className="mt-1 text-xs13 text-dim">{text}</p>
      </div>
    </>
  );
}

import type { DataMode } from "@/lib/market/tick";

const modes = {
  simulated: {
    label: "Simulated",
    text: "These prices are made by a simulator. They follow no market and are good for trying things out, never for trading.",
  },
  replay: {
    label: "Replay",
    text: "These prices were recorded earlier and are being played back. They are not today’s market.",
  },
} as const;

/** Says so when the prices, or events, on a page are not a live market's. Live ones need no label. */
export function DataModeBadge({ mode, what = "prices" }: { mode: DataMode; what?: "prices" | "events" }) {
  if (mode === "live") return null;
  const { label, text: textOfPrices } = modes[mode];
  const text = textOfPrices.replace("prices", what);
  const id = `data-mode-${mode}`;
  return (
    <>
      <button type="button" popoverTarget={id} title={text} className="mode-badge">
        {label}
        <span className="sr-only"> data: what does that mean?</span>
      </button>
      <div id={id} popover="auto" className="mode-popover">
        <p className="font-medium">{label} data</p>
        <p className="mt-1 text-[0.8125rem] text-dim">{text}</p>
      </div>
    </>
  );
}

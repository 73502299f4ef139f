/** Credits the chart library, as its license requires. */
export function ChartCredit() {
  return (
    <span className="text-2xs text-faint">
      Charts by TradingView Lightweight Charts™, © 2025{" "}
      <a
        href="https://www.tradingview.com/"
        target="_blank"
        rel="noreferrer"
        className="underline underline-offset-[3px] hover:text-ink"
      >
        TradingView, Inc.
      </a>
    </span>
  );
}

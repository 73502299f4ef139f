/** Credits the chart library, as its license requires. */
export function ChartCredit() {
  return (
    <a
      href="https://www.tradingview.com/"
      target="_blank"
      rel="noreferrer"
      className="text-2xs text-faint hover:text-ink hover:underline"
    >
      Charts by TradingView
    </a>
  );
}

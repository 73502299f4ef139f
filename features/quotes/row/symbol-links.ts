import { instrumentBySymbol } from "@/lib/market/catalog";

/** A page with more about a symbol. */
interface SymbolLink {
  readonly kind: "chart" | "spread" | "indicators" | "alert" | "calendar";
  readonly href: string;
  readonly text: string;
}

/** Currencies with economic events; coins, metals and shares have those of the currency that they are priced in. */
const EVENT_CURRENCIES = ["USD", "EUR", "GBP", "JPY", "CHF", "AUD", "CAD", "NZD"];

/** The pages with more about a symbol. The calendar shows the events of its currencies, if they have any. */
export function listSymbolLinks(symbol: string): SymbolLink[] {
  const instrument = instrumentBySymbol.get(symbol);
  const currencies = [instrument?.base, instrument?.quote].filter(
    (code) => code != null && EVENT_CURRENCIES.includes(code),
  );
  const links: SymbolLink[] = [
    { kind: "chart", href: `/symbols/${symbol}`, text: "Chart" },
    { kind: "spread", href: `/spreads?symbols=${symbol}`, text: "Spread" },
    { kind: "indicators", href: `/indicators?symbol=${symbol}`, text: "Indicators" },
    { kind: "alert", href: `/alerts?kind=price&symbol=${symbol}`, text: "Alert…" },
  ];
  if (currencies.length === 0) return links;
  const href = `/calendar?range=week&currencies=${currencies.join(",")}`;
  return [...links, { kind: "calendar", href, text: `Events of ${currencies.join(" and ")}` }];
}

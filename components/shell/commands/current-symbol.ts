/** The parameters of addresses that name the symbol of a page. */
const PARAMETERS = ["symbol", "symbols", "open"];
const SYMBOL = /^[A-Z0-9]{2,12}$/;

/** Finds the symbol that a page is about by its address; null if it is about none. */
export function findSymbol(path: string, search: { get(name: string): string | null }): string | null {
  const [, room, segment] = path.split("/");
  const inQuery = PARAMETERS.map((name) => search.get(name)?.split(",")[0]);
  const named = [room === "symbols" ? segment : undefined, ...inQuery];
  return named.find((symbol) => symbol !== undefined && SYMBOL.test(symbol)) ?? null;
}

const SYMBOL_PAGES: Readonly<Record<string, (symbol: string) => string>> = {
  "/spreads": (symbol) => `/spreads?symbols=${symbol}`,
  "/symbols": (symbol) => `/symbols/${symbol}`,
  "/ticks": (symbol) => `/ticks?symbol=${symbol}`,
  "/alerts": (symbol) => `/alerts?symbol=${symbol}`,
  "/sessions": (symbol) => `/sessions?symbol=${symbol}`,
  // It shows the correlations of a currency, and passes the symbol on.
  "/strength": (symbol) => `/strength?timeframe=H4&of=${symbol.slice(0, 3)}&symbol=${symbol}`,
  "/indicators": (symbol) => `/indicators?symbol=${symbol}`,
};

/** The address of a page about a symbol, as far as the page can show one. */
export function withSymbol(href: string, symbol: string | null): string {
  return (symbol === null ? undefined : SYMBOL_PAGES[href]?.(symbol)) ?? href;
}

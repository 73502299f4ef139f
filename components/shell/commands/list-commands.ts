import { AlarmClock, ChartCandlestick } from "lucide-react";
import { ACTIONS } from "@/components/shell/commands/actions";
import type { Command, CommandGroup } from "@/components/shell/commands/command";
import { withSymbol } from "@/components/shell/commands/current-symbol";
import { findSymbols } from "@/components/shell/commands/find-symbols";
import { getPageIcon } from "@/components/shell/page-icons";
import { type Audience, listPageGroups, type PageLink } from "@/components/shell/pages";

const MOST_SYMBOLS = 7;
const SYMBOL_PAGES = [
  ["/symbols", "Chart"],
  ["/spreads", "Spread"],
  ["/ticks", "Ticks & bars"],
  ["/indicators", "Indicators"],
  ["/sessions", "Usual hours"],
] as const;

interface Context {
  readonly audience: Audience;
  /** The symbol of the page. */
  readonly symbol: string | null;
}

/** Lists the commands that a search finds; without a search, those of the page's symbol, all pages and all actions. */
export function listCommands(search: string, { audience, symbol }: Context): CommandGroup[] {
  const pages = listPageGroups(audience)
    .flatMap((group) => group.pages)
    .map((page) => toPageCommand(page, symbol));
  if (search.trim() === "") {
    const own = symbol === null ? [] : [{ name: symbol, commands: listSymbolPages(symbol) }];
    return [...own, { name: "Pages", commands: pages }, { name: "Actions", commands: ACTIONS }];
  }
  const matches = createMatch(search);
  const found = findSymbols(search, MOST_SYMBOLS);
  const only = found.length === 1 ? found[0] : undefined;
  const groups = [
    { name: "Symbols", commands: found.map(toSymbolCommand) },
    ...(only === undefined ? [] : [{ name: only.symbol, commands: listSymbolPages(only.symbol).slice(1) }]),
    { name: "Pages", commands: pages.filter(matches) },
    { name: "Actions", commands: ACTIONS.filter(matches) },
  ];
  return groups.filter(({ commands }) => commands.length > 0);
}

function toPageCommand({ href, label, goKey }: PageLink, symbol: string | null): Command {
  const note = goKey === undefined ? undefined : `G ${goKey.toUpperCase()}`;
  return { id: `page-${href}`, label, note, Icon: getPageIcon({ href }), href: withSymbol(href, symbol) };
}

function toSymbolCommand({ symbol, name }: { symbol: string; name: string }): Command {
  return { id: `symbol-${symbol}`, label: symbol, note: name, Icon: ChartCandlestick, href: `/symbols/${symbol}` };
}

/** The pages that show a symbol, the chart first. */
function listSymbolPages(symbol: string): Command[] {
  const pages = SYMBOL_PAGES.map(([path, name]) => ({
    ...{ id: `${symbol}-${path}`, label: `${name} of ${symbol}` },
    ...{ Icon: getPageIcon({ href: path }), href: withSymbol(path, symbol) },
  }));
  return pages.concat({
    id: `${symbol}-alert`,
    label: `Create alert on ${symbol}`,
    Icon: AlarmClock,
    href: `/alerts?kind=price&symbol=${symbol}`,
  });
}

function createMatch(search: string): (command: Command) => boolean {
  const words = search.toLowerCase().trim().split(/\s+/);
  return ({ label, words: others = "" }) => {
    const text = `${label} ${others}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

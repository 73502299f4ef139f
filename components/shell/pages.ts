export interface PageLink {
  readonly href: string;
  readonly label: string;
  /** Whether it is on a phone's bar, which holds four pages; the others are behind "More". */
  readonly onBar?: true;
  /** The key that leads there after G. */
  readonly goKey?: string;
}

interface PageGroup {
  readonly name: string;
  /** Who sees it, if not everybody. The pages themselves check again. */
  readonly onlyFor?: "accounts" | "operators";
  readonly pages: readonly PageLink[];
}

/** Every page of the dashboard, one line each, in the order in which the navigation lists them. */
export const pageGroups: readonly PageGroup[] = [
  {
    name: "Markets",
    pages: [
      { href: "/overview", label: "Overview", goKey: "o", onBar: true },
      { href: "/quotes", label: "Quotes", goKey: "q", onBar: true },
      { href: "/spreads", label: "Spreads", goKey: "s" },
      { href: "/symbols", label: "Charts", goKey: "h" },
      { href: "/screens", label: "Screens", goKey: "w" },
      { href: "/ticks", label: "Ticks & bars", goKey: "t" },
      { href: "/data-quality", label: "Data quality", goKey: "d" },
      { href: "/sessions", label: "Sessions", goKey: "e" },
      { href: "/calendar", label: "Calendar", goKey: "c", onBar: true },
    ],
  },
  {
    name: "Analysis",
    pages: [
      { href: "/strength", label: "Strength", goKey: "r", onBar: true },
      { href: "/indicators", label: "Indicators", goKey: "i" },
    ],
  },
  {
    name: "Account",
    onlyFor: "accounts",
    pages: [
      { href: "/alerts", label: "Alerts", goKey: "a" },
      { href: "/keys", label: "API keys", goKey: "k" },
      { href: "/usage", label: "Usage", goKey: "u" },
      { href: "/plan", label: "Plan", goKey: "p" },
    ],
  },
  {
    name: "Operator",
    onlyFor: "operators",
    pages: [
      { href: "/operator/accounts", label: "Accounts" },
      { href: "/operator/plan-requests", label: "Plan requests" },
      { href: "/operator/invitations", label: "Invitations" },
      { href: "/operator/keys", label: "Find a key" },
      { href: "/operator/feeds", label: "Feeds" },
      { href: "/operator/import", label: "Import" },
      { href: "/operator/terminals", label: "MetaTrader" },
      { href: "/status", label: "Status" },
    ],
  },
];

const MARKET_PAGES = pageGroups
  .filter(({ onlyFor }) => onlyFor === undefined)
  .flatMap(({ pages }) => pages.map(({ href }) => href));

/** Whether a page is of the market, which can show a second of the past. The others are of the present. */
export const isMarketPage = (path: string): boolean =>
  MARKET_PAGES.some((href) => path === href || path.startsWith(`${href}/`));

/** Who looks at the dashboard: a visitor of the demo, or a signed-in account. */
export type Audience = "demo" | "member" | "operator";

/** Lists the groups of pages for a viewer. */
export function listPageGroups(audience: Audience): readonly PageGroup[] {
  return pageGroups.filter(
    ({ onlyFor }) =>
      onlyFor === undefined || audience === "operator" || (onlyFor === "accounts" && audience === "member"),
  );
}

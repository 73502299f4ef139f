import type { Page } from "@playwright/test";
import { pageGroups } from "@/components/shell/pages";

/** What `npm run screenshots` takes pictures of. */

/** Who looks at a page. The operator's plan includes everything; a member is new and on the plan "free". */
export const VISITORS = ["nobody", "member", "operator"] as const;
export type Visitor = (typeof VISITORS)[number];

export interface View {
  /** The name of the file, without size and theme. */
  readonly name: string;
  readonly address: string;
  readonly visitor: Visitor;
  /** Shows a state other than the usual one. It begins before the page loads, and ends with the picture. */
  readonly state?: "loading" | "error" | "stale";
  /** Opens what the picture shows, once the page has loaded. */
  readonly open?: (page: Page) => Promise<unknown>;
}

const PUBLIC = ["/", "/sign-in", "/sign-up", "/docs", "/docs/reference/ohlc"];
/** Pages that the navigation has no link to, or other views of those that it has. */
const OTHERS = [
  "/symbols/EURUSD",
  "/symbols/EURUSD?timeframe=M15&indicators=EMA_50,RSI_14,MACD",
  "/ticks?view=H1",
  "/indicators/screener",
  "/alerts?kind=upcoming",
  "/keys/new",
  "/audit",
  "/notices",
  "/account",
];
/** Pages whose plan, or whose lack of data, changes what a new member sees. */
const FOR_MEMBERS = [
  "/quotes",
  "/symbols/EURUSD",
  "/ticks",
  "/calendar",
  "/alerts",
  "/alerts?kind=release",
  "/keys",
  "/usage",
  "/usage/requests",
  "/plan",
  "/audit",
  "/notices",
];
/** Pages that load data after the document. */
const LIVE = ["/quotes", "/symbols/EURUSD", "/spreads", "/ticks", "/sessions", "/calendar", "/strength", "/indicators"];

const linked = pageGroups.flatMap(({ pages }) => pages.map(({ href }) => href)).filter((href) => href !== "/symbols");

export const views: readonly View[] = [
  ...PUBLIC.map((address) => describe(address, "nobody")),
  ...[...linked, ...OTHERS].map((address) => describe(address, "operator")),
  ...FOR_MEMBERS.map((address) => ({ ...describe(address, "member"), name: `${nameFile(address)}.new-member` })),
  ...LIVE.flatMap((address) =>
    (["loading", "error", "stale"] as const).map((state) => ({
      ...describe(address, "operator"),
      name: `${nameFile(address)}.${state}`,
      state,
    })),
  ),
  {
    ...describe("/quotes", "operator"),
    name: "quotes.row",
    open: (page) => page.getByRole("button", { name: /^EURUSD\b/ }).click(),
  },
  {
    ...describe("/strength", "operator"),
    name: "strength.api-call",
    open: (page) => page.getByRole("button", { name: /^API call:/ }).click(),
  },
];

function describe(address: string, visitor: Visitor): View {
  return { name: nameFile(address), address, visitor };
}

/** "/symbols/EURUSD?timeframe=M15" is "symbols-EURUSD-timeframe-M15". */
function nameFile(address: string): string {
  return address.replace(/^\//, "").replaceAll(/\W+/g, "-") || "home";
}

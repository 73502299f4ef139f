import {
  Activity,
  AlarmClock,
  ArrowLeftRight,
  CalendarDays,
  ChartCandlestick,
  ChartColumn,
  Clock,
  Gauge,
  Inbox,
  KeyRound,
  Layers,
  LayoutDashboard,
  type LucideIcon,
  MailPlus,
  MonitorUp,
  RadioTower,
  Rows3,
  Search,
  Server,
  Users,
  Waypoints,
} from "lucide-react";

export interface PageLink {
  readonly href: string;
  readonly label: string;
  readonly Icon: LucideIcon;
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
      { href: "/overview", label: "Overview", Icon: LayoutDashboard, goKey: "o", onBar: true },
      { href: "/quotes", label: "Quotes", Icon: Rows3, goKey: "q", onBar: true },
      { href: "/spreads", label: "Spreads", Icon: ArrowLeftRight, goKey: "s" },
      { href: "/symbols", label: "Charts", Icon: ChartCandlestick, goKey: "h" },
      { href: "/ticks", label: "Ticks & bars", Icon: Waypoints, goKey: "t" },
      { href: "/sessions", label: "Sessions", Icon: Clock, goKey: "e" },
      { href: "/calendar", label: "Calendar", Icon: CalendarDays, goKey: "c", onBar: true },
    ],
  },
  {
    name: "Analysis",
    pages: [
      { href: "/strength", label: "Strength", Icon: Gauge, goKey: "r", onBar: true },
      { href: "/indicators", label: "Indicators", Icon: Activity, goKey: "i" },
    ],
  },
  {
    name: "Account",
    onlyFor: "accounts",
    pages: [
      { href: "/alerts", label: "Alerts", Icon: AlarmClock, goKey: "a" },
      { href: "/keys", label: "API keys", Icon: KeyRound, goKey: "k" },
      { href: "/usage", label: "Usage", Icon: ChartColumn, goKey: "u" },
      { href: "/plan", label: "Plan", Icon: Layers, goKey: "p" },
    ],
  },
  {
    name: "Operator",
    onlyFor: "operators",
    pages: [
      { href: "/operator/accounts", label: "Accounts", Icon: Users },
      { href: "/operator/plan-requests", label: "Plan requests", Icon: Inbox },
      { href: "/operator/invitations", label: "Invitations", Icon: MailPlus },
      { href: "/operator/keys", label: "Find a key", Icon: Search },
      { href: "/operator/feeds", label: "Feeds", Icon: RadioTower },
      { href: "/operator/terminals", label: "MetaTrader", Icon: MonitorUp },
      { href: "/status", label: "Status", Icon: Server },
    ],
  },
];

/** Who looks at the dashboard: a visitor of the demo, or a signed-in account. */
export type Audience = "demo" | "member" | "operator";

/** Lists the groups of pages for a viewer. */
export function listPageGroups(audience: Audience): readonly PageGroup[] {
  return pageGroups.filter(
    ({ onlyFor }) =>
      onlyFor === undefined || audience === "operator" || (onlyFor === "accounts" && audience === "member"),
  );
}

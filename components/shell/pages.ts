import {
  Activity,
  ArrowLeftRight,
  CalendarDays,
  ChartCandlestick,
  ChartColumn,
  Clock,
  Gauge,
  KeyRound,
  Layers,
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
}

interface PageGroup {
  readonly name: string;
  /** Whether only operators see it. The pages themselves check again. */
  readonly operatorOnly?: true;
  readonly pages: readonly PageLink[];
}

/** Every page of the dashboard, one line each, in the order in which the navigation lists them. */
export const pageGroups: readonly PageGroup[] = [
  {
    name: "Markets",
    pages: [
      { href: "/quotes", label: "Quotes", Icon: Rows3, onBar: true },
      { href: "/spreads", label: "Spreads", Icon: ArrowLeftRight },
      { href: "/symbols", label: "Charts", Icon: ChartCandlestick },
      { href: "/ticks", label: "Ticks & bars", Icon: Waypoints },
      { href: "/sessions", label: "Sessions", Icon: Clock, onBar: true },
      { href: "/calendar", label: "Calendar", Icon: CalendarDays, onBar: true },
    ],
  },
  {
    name: "Analysis",
    pages: [
      { href: "/strength", label: "Strength", Icon: Gauge, onBar: true },
      { href: "/indicators", label: "Indicators", Icon: Activity },
    ],
  },
  {
    name: "Account",
    pages: [
      { href: "/keys", label: "API keys", Icon: KeyRound },
      { href: "/usage", label: "Usage", Icon: ChartColumn },
      { href: "/plan", label: "Plan", Icon: Layers },
    ],
  },
  {
    name: "Operator",
    operatorOnly: true,
    pages: [
      { href: "/operator/accounts", label: "Accounts", Icon: Users },
      { href: "/operator/invitations", label: "Invitations", Icon: MailPlus },
      { href: "/operator/keys", label: "Find a key", Icon: Search },
      { href: "/operator/feeds", label: "Feeds", Icon: RadioTower },
      { href: "/operator/terminals", label: "MetaTrader", Icon: MonitorUp },
      { href: "/status", label: "Status", Icon: Server },
    ],
  },
];

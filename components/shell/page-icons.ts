import {
  Activity,
  AlarmClock,
  ArrowLeftRight,
  BadgeCheck,
  CalendarDays,
  ChartCandlestick,
  ChartColumn,
  Clock,
  FileUp,
  Gauge,
  Inbox,
  KeyRound,
  Layers,
  LayoutDashboard,
  LayoutGrid,
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
import type { PageLink } from "@/components/shell/pages";

const ICONS: Readonly<Record<string, LucideIcon>> = {
  "/overview": LayoutDashboard,
  "/quotes": Rows3,
  "/spreads": ArrowLeftRight,
  "/symbols": ChartCandlestick,
  "/screens": LayoutGrid,
  "/ticks": Waypoints,
  "/data-quality": BadgeCheck,
  "/sessions": Clock,
  "/calendar": CalendarDays,
  "/strength": Gauge,
  "/indicators": Activity,
  "/alerts": AlarmClock,
  "/keys": KeyRound,
  "/usage": ChartColumn,
  "/plan": Layers,
  "/operator/accounts": Users,
  "/operator/plan-requests": Inbox,
  "/operator/invitations": MailPlus,
  "/operator/keys": Search,
  "/operator/feeds": RadioTower,
  "/operator/import": FileUp,
  "/operator/terminals": MonitorUp,
  "/status": Server,
};

/** The icon of a page. Apart from the pages, so that the browser gets the drawings in the document and not as scripts. */
export function getPageIcon({ href }: Pick<PageLink, "href">): LucideIcon {
  const Icon = ICONS[href];
  if (Icon === undefined) throw new Error(`The page ${href} has no icon`);
  return Icon;
}

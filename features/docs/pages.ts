import { AGENTS } from "@/features/docs/guides/agents";
import { ALERTS } from "@/features/docs/guides/alerts";
import { CHARTS } from "@/features/docs/guides/charts";
import { CLIENTS } from "@/features/docs/guides/clients";
import { ERRORS } from "@/features/docs/guides/errors";
import { FRESHNESS } from "@/features/docs/guides/freshness";
import { LIMITS } from "@/features/docs/guides/limits";
import { MIGRATING } from "@/features/docs/guides/migrating";
import { PAGING } from "@/features/docs/guides/paging";
import { QUICK_START } from "@/features/docs/guides/quick-start";
import { REQUESTS } from "@/features/docs/guides/requests";
import { SPREADSHEETS } from "@/features/docs/guides/spreadsheets";
import { readFile } from "@/features/docs/read-file";
import { writeReference } from "@/features/docs/write-reference";
import type { Endpoint } from "@/lib/api/engine/endpoint";
import { ENDPOINT_GROUPS } from "@/lib/api/openapi/describe-api";
import { formatReferencePath } from "@/lib/api/openapi/reference-path";
import { endpoints } from "@/lib/api/registry";

/** A page of the documentation. */
export interface DocsPage {
  /** "/docs/errors" */
  readonly href: string;
  /** Its name in the contents. */
  readonly title: string;
  readonly description: string;
  /** The endpoints that it describes; none for a guide. */
  readonly endpoints: readonly Endpoint[];
  write(): string;
}

export interface DocsSection {
  readonly title: string;
  readonly pages: readonly DocsPage[];
}

function guide(href: string, title: string, description: string, write: () => string): DocsPage {
  return { href, title, description, endpoints: [], write };
}

function reference(path: string): DocsPage {
  const atPath = endpoints.filter((each) => each.path === path);
  return {
    href: formatReferencePath(path),
    title: path,
    description: atPath.map(({ summary }) => summary).join(" "),
    endpoints: atPath,
    write: () => writeReference(path, atPath),
  };
}

/** All pages, in the order of the contents. */
export const DOCS_SECTIONS: readonly DocsSection[] = [
  {
    title: "Guides",
    pages: [
      guide("/docs", "Quick start", "The first call, in five minutes.", () => QUICK_START),
      guide("/docs/streaming", "Streaming", "Every change of a price, without polling.", () =>
        readFile("docs/streaming.md", "Streams of prices"),
      ),
      guide("/docs/clients", "Clients", "TypeScript and Python.", () => CLIENTS),
      guide("/docs/agents", "Agents (MCP)", "Tools for programs with a language model.", () => AGENTS),
      guide("/docs/limits-and-credits", "Limits and credits", "How many calls, and what they cost.", () => LIMITS),
      guide("/docs/requests", "Requests and answers", "Spellings, caching, compression, browsers.", () => REQUESTS),
      guide("/docs/freshness", "Freshness and data modes", "Which prices to trust.", () => FRESHNESS),
      guide("/docs/paging-history", "Paging through history", "More bars and ticks than one answer has.", () => PAGING),
      guide(
        "/docs/alerts",
        "Alerts and webhooks",
        "Messages when a price or an event meets a condition.",
        () => ALERTS,
      ),
      guide("/docs/errors", "Errors", "Every code, and what to do about it.", () => ERRORS),
      guide("/docs/spreadsheets", "Spreadsheets", "Google Sheets and Excel.", () => SPREADSHEETS),
      guide("/docs/charts", "Charts", "TradingView's libraries, by UDF.", () => CHARTS),
      guide("/docs/migrating", "Coming from another service", "TickAtlas, Twelve Data and OANDA.", () => MIGRATING),
      guide("/docs/changelog", "Changelog", "What changed.", () => readFile("CHANGELOG.md", "Changelog")),
    ],
  },
  ...ENDPOINT_GROUPS.map(({ name, paths }) => ({ title: name, pages: paths.map(reference) })),
];

const byHref = new Map(DOCS_SECTIONS.flatMap(({ pages }) => pages.map((page) => [page.href, page] as const)));

/** Finds the page of an address, without ".md". */
export function findDocsPage(href: string): DocsPage | null {
  return byHref.get(href) ?? null;
}

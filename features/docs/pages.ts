import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ORIGIN_MARK } from "@/features/docs/document";
import { ALERTS } from "@/features/docs/guides/alerts";
import { AS_OF } from "@/features/docs/guides/as-of";
import { CLIENTS } from "@/features/docs/guides/clients";
import { writeIndicators } from "@/features/docs/guides/indicators";
import { ERRORS, LIMITS } from "@/features/docs/guides/limits";
import { MIGRATING } from "@/features/docs/guides/migrating";
import { FRESHNESS, PAGING, QUICK_START, REQUESTS } from "@/features/docs/guides/start";
import { AGENTS, CHARTS, SPREADSHEETS } from "@/features/docs/guides/tools";
import { writeReference } from "@/features/docs/write-reference";
import { type Endpoint, ENDPOINT_GROUPS } from "@/lib/api/engine/endpoint";
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
      guide("/docs/session-breakout", "A strategy on the past", "One program for now and then.", () =>
        readFile("docs/session-breakout.md", "A strategy on the past"),
      ),
      guide("/docs/clients", "Clients", "TypeScript and Python.", () => CLIENTS),
      guide("/docs/agents", "Agents (MCP)", "Tools for programs with a language model.", () => AGENTS),
      guide("/docs/limits-and-credits", "Limits and credits", "How many calls, and what they cost.", () => LIMITS),
      guide("/docs/requests", "Requests and answers", "Spellings, caching, compression, browsers.", () => REQUESTS),
      guide("/docs/freshness", "Freshness and data modes", "Which prices to trust.", () => FRESHNESS),
      guide("/docs/paging-history", "Paging through history", "More bars and ticks than one answer has.", () => PAGING),
      guide("/docs/indicators", "Indicators", "Names, parameters, formulas.", writeIndicators),
      guide("/docs/quality", "Quality of prices", "What the figures of each source mean.", () =>
        readFile("docs/quality.md", "Quality of prices"),
      ),
      guide("/docs/as-of", "Any second of the past", "Every answer as it was then.", () => AS_OF),
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
  ...ENDPOINT_GROUPS.map(({ name }) => {
    const paths = endpoints.filter(({ group }) => group === name).map(({ path }) => path);
    return { title: name, pages: [...new Set(paths)].map(reference) };
  }),
];

const byHref = new Map(DOCS_SECTIONS.flatMap(({ pages }) => pages.map((page) => [page.href, page] as const)));

/** Finds the page of an address, without ".md". */
export function findDocsPage(href: string): DocsPage | null {
  return byHref.get(href) ?? null;
}

/**
 * Reads a text that this installation has beside it, such as the changelog, as a page. Its links to files of the source
 * do not lead anywhere here, and its calls are of this installation.
 */
function readFile(name: string, title: string): string {
  try {
    const text = readFileSync(join(/* turbopackIgnore: true */ process.cwd(), name), "utf8");
    return text
      .replaceAll(/\[([^\]]+)\]\((?!https?:|\/)[^)]*\)/g, "$1")
      .replaceAll("http://localhost:3000", ORIGIN_MARK);
  } catch {
    return `# ${title}\n\nThis installation has no ${name} beside it.`;
  }
}

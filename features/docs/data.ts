import { ORIGIN_MARK } from "@/features/docs/document";
import { DOCS_SECTIONS, type DocsPage } from "@/features/docs/pages";
import { renderMarkdown } from "@/features/docs/render";

interface WrittenPage {
  readonly markdown: string;
  readonly html: string;
}

/** Every page is written once: visitors whom nobody knows cost no more than the copy of a text. */
const written = new Map<DocsPage, WrittenPage>();

function writeOnce(page: DocsPage): WrittenPage {
  let found = written.get(page);
  if (found === undefined) {
    const markdown = page.write();
    found = { markdown, html: renderMarkdown(markdown) };
    written.set(page, found);
  }
  return found;
}

/** Texts are the same for everybody, so programs and proxies may keep them for a while. */
export const TEXT_CACHING = { "Cache-Control": "public, max-age=300" };

/** The content of a page as HTML, with the address of the API that this visitor uses. */
export function readDocsHtml(page: DocsPage, origin: string): string {
  return writeOnce(page).html.replaceAll(ORIGIN_MARK, origin);
}

export function readDocsMarkdown(page: DocsPage, origin: string): string {
  return `${writeOnce(page).markdown.replaceAll(ORIGIN_MARK, origin)}\n`;
}

/** The list of all pages for programs that read them: llms.txt. */
export function writePageList(origin: string): string {
  const sections = DOCS_SECTIONS.map(({ title, pages }) => {
    const lines = pages.map((page) => `- [${page.title}](${origin}${page.href}.md): ${page.description}`);
    return `## ${title}\n\n${lines.join("\n")}`;
  });
  const about =
    "> Market data for foreign exchange and CFDs as JSON: quotes, history, indicators, spreads and economic events.";
  const openapi = `Every endpoint in OpenAPI 3.1: ${origin}/v1/openapi.json`;
  return `# Spotline\n\n${[about, openapi, ...sections].join("\n\n")}\n`;
}

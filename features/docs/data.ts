import { Marked, type Tokens } from "marked";
import { splitCode } from "@/components/shared/code-text";
import { ORIGIN_MARK } from "@/features/docs/document";
import { DOCS_SECTIONS, type DocsPage } from "@/features/docs/pages";

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

/** Turns the Markdown of a page into HTML. Texts are our own; HTML in them is shown, not run. */

const HEADINGS: Readonly<Record<number, string>> = {
  1: "text-2xl/8 font-semibold tracking-[-0.02em] text-balance",
  2: "mt-10 scroll-mt-6 border-t border-line pt-6 text-lg/7 font-semibold tracking-[-0.01em]",
  3: "mt-6 scroll-mt-6 font-medium",
};
const LINK = "text-accent-ink underline underline-offset-[3px]";
const BOX = "mt-3 overflow-x-auto rounded-md border border-line";

const escape = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const renderCode = (language: string, code: string) =>
  splitCode(language, code)
    .map(({ text, colour }) => (colour === "" ? escape(text) : `<span class="${colour}">${escape(text)}</span>`))
    .join("");

/** The anchor of a heading: "rate_limit_exceeded", "the-first-call". */
const formatAnchor = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\w]+/g, "-")
    .replaceAll(/^-|-$/g, "");

/** The last column has sentences. */
const getWidth = (column: number, columns: number) =>
  column === 0 ? "" : column === columns - 1 ? "min-w-64" : "min-w-24";

function renderTable(header: readonly string[], rows: readonly (readonly string[])[], title: string): string {
  const head = header.map((cell) => `<th scope="col" class="px-3 py-2 text-left font-medium text-dim">${cell}</th>`);
  const body = rows.map((cells) => {
    const each = cells.map((cell, at) => `<td class="px-3 py-2 align-top ${getWidth(at, cells.length)}">${cell}</td>`);
    return `<tr class="border-t border-line">${each.join("")}</tr>`;
  });
  return `<div class="${BOX}" tabindex="0" role="region" aria-label="${escape(title)}"><table class="w-full text-xs13"><thead class="bg-raised"><tr>${head.join("")}</tr></thead><tbody>${body.join("")}</tbody></table></div>`;
}

/** Renders one page. Anchors are unique in it. */
export function renderMarkdown(markdown: string): string {
  const anchors = new Map<string, number>();
  let section = "";
  let boxes = 0;
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        section = text;
        const anchor = formatAnchor(text);
        const count = (anchors.get(anchor) ?? 0) + 1;
        anchors.set(anchor, count);
        const id = count === 1 ? anchor : `${anchor}-${count}`;
        return `<h${depth} id="${id}" class="${HEADINGS[depth] ?? HEADINGS[3]}">${this.parser.parseInline(tokens)}</h${depth}>`;
      },
      paragraph({ tokens }: Tokens.Paragraph) {
        return `<p class="mt-3 max-w-[44rem] text-pretty">${this.parser.parseInline(tokens)}</p>`;
      },
      code({ text, lang }: Tokens.Code) {
        const label = escape(`${section}, code ${++boxes}${lang ? `, ${lang}` : ""}`);
        const id = `code-${boxes}`;
        const block = `<pre id="${id}" translate="no" tabindex="0" role="region" aria-label="${label}" class="numerals ${BOX} max-h-[32rem] bg-raised p-3 text-xs12"><code>${renderCode(lang ?? "", text)}</code></pre>`;
        return `<div class="relative">${block}<div data-copy="${id}" data-label="${label}" class="absolute top-1.5 right-1.5 rounded-md bg-raised max-md:static max-md:mt-2"></div></div>`;
      },
      codespan({ text }: Tokens.Codespan) {
        return `<code translate="no" class="numerals rounded-sm bg-raised px-1 text-[0.92em] break-words">${escape(text)}</code>`;
      },
      link({ href, tokens }: Tokens.Link) {
        return `<a href="${escape(href)}" class="${LINK}">${this.parser.parseInline(tokens)}</a>`;
      },
      list({ items }: Tokens.List) {
        const lines = items.map((item) => `<li>${this.parser.parse(item.tokens)}</li>`);
        return `<ul class="mt-3 grid max-w-[44rem] list-disc gap-1.5 pl-5">${lines.join("")}</ul>`;
      },
      table({ header, rows }: Tokens.Table) {
        const read = (cells: readonly Tokens.TableCell[]) => cells.map(({ tokens }) => this.parser.parseInline(tokens));
        return renderTable(read(header), rows.map(read), `${section}, table ${++boxes}`);
      },
      html({ text }: Tokens.HTML | Tokens.Tag) {
        return escape(text);
      },
    },
  });
  return marked.parse(markdown, { async: false });
}

import { describe, expect, test } from "vitest";
import { splitCode } from "@/components/shared/code-text";
import { readDocsHtml, readDocsMarkdown, renderMarkdown, writePageList } from "@/features/docs/data";
import { listFields } from "@/features/docs/document";
import { DOCS_SECTIONS, findDocsPage } from "@/features/docs/pages";
import { listTries } from "@/features/docs/tries";
import { ERROR_CODES } from "@/lib/api/engine/errors";
import { formatReferencePath } from "@/lib/api/openapi/reference-path";
import { endpoints } from "@/lib/api/registry";

const ORIGIN = "https://prices.test";
const pages = DOCS_SECTIONS.flatMap((section) => section.pages);
/** The addresses outside the documentation that its pages lead to. */
const OTHERS = ["/alerts", "/keys", "/sign-up", "/usage", "/v1/openapi.json", "/llms.txt"];

describe("The documentation", () => {
  test("has one page for every endpoint, and one address for every page", () => {
    const described = pages.flatMap((page) => page.endpoints);
    expect(described.length).toBe(endpoints.length);
    expect(new Set(described)).toEqual(new Set(endpoints));
    expect(new Set(pages.map(({ href }) => href)).size).toBe(pages.length);
    for (const { path } of endpoints) expect(findDocsPage(formatReferencePath(path))).not.toBeNull();
    // The addresses of Markdown are written in these characters.
    for (const { href } of pages) expect(href).toMatch(/^\/docs[a-z/-]*$/);
  });

  test.each(pages)("leads somewhere with every link of $href", (page) => {
    const html = readDocsHtml(page, ORIGIN);
    for (const [, href = ""] of html.matchAll(/href="([^"]+)"/g)) {
      const [path = "", anchor] = href.split("#");
      if (/^https?:/.test(path) || OTHERS.includes(path)) continue;
      const target = path === "" ? page : findDocsPage(path);
      expect(target, `${href} on ${page.href}`).not.toBeNull();
      if (anchor !== undefined && target !== null) expect(readDocsHtml(target, ORIGIN)).toContain(`id="${anchor}"`);
    }
  });

  test.each(pages)("writes $href with the address of the installation, unique anchors and one title", (page) => {
    const html = readDocsHtml(page, ORIGIN);
    const markdown = readDocsMarkdown(page, ORIGIN);
    expect(html + markdown).not.toMatch(/address\.invalid|undefined|\[object/);
    expect(html.match(/<h1 /g)).toHaveLength(1);
    const anchors = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(anchors).size).toBe(anchors.length);
    expect(markdown).toMatch(/^# \S/);
  });

  test.each(pages)("shows the code of $href in colours as it was written", (page) => {
    for (const [, language = "", code = ""] of readDocsMarkdown(page, ORIGIN).matchAll(/^```(\w*)\n(.*?)\n```$/gms)) {
      const parts = splitCode(language, code);
      expect(parts.map(({ text }) => text).join("")).toBe(code);
      if (language === "sh") expect(new Set(parts.map(({ colour }) => colour)).size, code).toBeGreaterThan(1);
    }
  });

  test("explains every error code", () => {
    const html = readDocsHtml(findDocsPage("/docs/errors") as (typeof pages)[number], ORIGIN);
    for (const code of ERROR_CODES.filter((each) => each !== "UNPROCESSABLE"))
      expect(html).toContain(`id="${code.toLowerCase()}"`);
  });

  test("names parameters, fields, errors, cost and a call in three languages on the page of an endpoint", () => {
    const markdown = readDocsMarkdown(findDocsPage("/docs/reference/ohlc") as (typeof pages)[number], ORIGIN);
    for (const part of [
      "| `limit` | integer, 1 to 1000 | `100` |",
      "| `data.candles[].close` | number |",
      "| 404 | [`SYMBOL_NOT_FOUND`](/docs/errors#symbol_not_found) |",
      "Costs 1 credit. Needs the scope historical, on every plan.",
      `curl -H "X-API-Key: $SPOTLINE_KEY" \\\n  "${ORIGIN}/v1/ohlc?symbol=EURUSD`,
      "```ts\nconst response = await fetch(",
      "```python\nimport os, requests",
      "`X-Coverage`",
    ]) {
      expect(markdown).toContain(part);
    }
  });

  test("lists every page for programs", () => {
    const list = writePageList(ORIGIN);
    for (const { href } of pages) expect(list).toContain(`(${ORIGIN}${href}.md)`);
  });

  test("fills in the form of each call with its example", () => {
    const [bars] = listTries(endpoints.filter(({ path }) => path === "/v1/ohlc"));
    expect(bars?.parameters.find(({ name }) => name === "symbol")).toMatchObject({ value: "EURUSD", isRequired: true });
    const [screener] = listTries(endpoints.filter(({ path }) => path === "/v1/screener"));
    expect(screener?.parameters.find(({ name }) => name === "timeframe")?.words).toContain("H1");
  });
});

describe("Markdown", () => {
  test("shows HTML instead of running it, also in code, tables and links", () => {
    const html = renderMarkdown(
      '# A\n\n<script>x</script>\n\n`<b>` and <img src=x onerror=y>\n\n| <i> |\n| --- |\n| `<u>` |\n\n[l](/a"onclick=z)\n\n```\n</pre><script>\n```',
    );
    expect(html).not.toMatch(/<(script|img|b|i|u)\b/);
    expect(html).not.toContain('"onclick');
  });
});

test("Fields of variants, lists and maps are listed once each, with their types in words", () => {
  expect(
    listFields({
      anyOf: [
        { type: "object", required: ["a"], properties: { a: { type: "integer" }, b: { type: ["number", "null"] } } },
        { type: "object", properties: { a: { type: "integer" }, c: { items: { enum: ["x", "y"] } } } },
        { type: "object", properties: { d: { type: "object", additionalProperties: { type: "string" } } } },
      ],
    }).map(({ name, type }) => [name, type]),
  ).toEqual([
    ["a", "integer"],
    ["b", "number or null, optional"],
    ["c", "list of x or y, optional"],
    ["d", "object, optional"],
    ["d.*", "string"],
  ]);
});

import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { transform } from "esbuild";
import { PYTHON_REQUESTS } from "@/components/shared/python-requests.fixture";
import { expectAccessible, expectNoSidewaysScroll } from "@/e2e/journeys/accessible";
import { createKey } from "@/e2e/journeys/accounts";
import { addAccount, expect, test } from "@/e2e/journeys/fixtures";
import type { Spotline } from "@/e2e/support/spotline";

const PAGES = ["/docs", "/docs/limits-and-credits", "/docs/errors", "/docs/reference/ohlc", "/docs/reference/quotes"];
const MAX_SCRIPT_BYTES = 160_000;
const HAS_PYTHON = spawnSync("python3", ["--version"]).status === 0;

const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;

test("Anyone reads the documentation on a desktop and on a phone, from the first page on", async ({ page }) => {
  test.setTimeout(180_000);
  for (const path of PAGES) {
    await page.goto(path);
    for (const [size, viewport] of Object.entries(sizes)) {
      await page.setViewportSize(viewport);
      await expectNoSidewaysScroll(page, `${path} on a ${size}`);
    }
  }
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    await page.goto("/");
    await page.getByRole("link", { name: "Docs", exact: true }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Spotline API");
    if (size === "phone") await page.getByText("Contents", { exact: true }).click();
    await page.getByRole("link", { name: "/v1/ticks", exact: true }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("GET /v1/ticks");
  }
});

test("Pages need no script but for the form, and load little of it", async ({ browser, spotline }) => {
  const context = await browser.newContext({ baseURL: spotline.url, javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto("/docs/reference/ohlc");
  await expect(plain.getByRole("heading", { name: "Parameters" })).toBeVisible();
  await expect(plain.getByText("This form needs JavaScript.")).toBeVisible();
  await expect(plain.getByLabel("API key")).toHaveCount(0);
  await expect(plain.getByRole("button", { name: /^Copy/ })).toHaveCount(0);
  await context.close();

  // With nothing in its cache.
  const first = await browser.newContext({ baseURL: spotline.url });
  const page = await first.newPage();
  let bytes = 0;
  page.on("response", (response) => {
    if (response.request().resourceType() === "script")
      void response.body().then((body) => (bytes += gzipSync(body).length));
  });
  await page.goto("/docs/reference/ohlc", { waitUntil: "networkidle" });
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(MAX_SCRIPT_BYTES);
  await first.close();
});

test("A reader copies the code of a page", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/docs/reference/quote");
  await page.getByRole("button", { name: /^Copy curl/ }).click();
  await expect(page.getByRole("button", { name: /^Copied/ })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^curl -H "X-API-Key: \$SPOTLINE_KEY"/);
});

test("A reader tries a call with a key, which is in no address and not stored", async ({
  page,
  spotline,
  signedIn,
}) => {
  expect(signedIn.cookies).not.toEqual([]);
  const key = await createReaderKey(spotline, "docs-reader@example.com");
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(request.url()));
  await page.goto("/docs/reference/ohlc");
  await page.getByLabel("limit").fill("2");
  await page.getByLabel("API key").fill("fxk_live_wrong");
  await page.getByRole("button", { name: "Make the call" }).click();
  await expect(page.getByLabel("Body of the answer")).toContainText("INVALID_API_KEY");
  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Make the call" }).click();
  await expect(page.getByText(/^200 · \d+ ms$/)).toBeVisible();
  await expect(page.getByLabel("Body of the answer")).toContainText('"count": 2');
  await expect(page.getByLabel("Headers of the answer")).toContainText("x-data-mode: simulated");
  await expectAccessible(page.getByRole("main"), "a tried call");
  expect(addresses.filter((address) => address.includes("fxk_"))).toEqual([]);
  const stored = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
  );
  expect(stored).not.toContain("fxk_");
});

test("Every page is there as Markdown too, and llms.txt lists them", async ({ request }) => {
  const list = await (await request.get("/llms.txt")).text();
  const addresses = [...list.matchAll(/\((http[^)]+\.md)\)/g)].map(([, address = ""]) => address);
  expect(addresses.length).toBeGreaterThan(25);
  const titles = new Set<string>();
  for (const address of addresses) {
    const markdown = await request.get(address);
    expect(markdown.headers()["content-type"], address).toContain("text/markdown");
    titles.add((await markdown.text()).split("\n", 1)[0] ?? "");
    expect((await request.get(address.slice(0, -".md".length))).status(), address).toBe(200);
  }
  expect([...titles].every((title) => title.startsWith("# "))).toBe(true);
  expect(titles.size).toBe(addresses.length);
  for (const address of ["/docs/nope", "/docs/nope.md", "/docs/reference/nope", "/docs/reference/ohlc/more"])
    expect((await request.get(address)).status(), address).toBe(404);
});

test("Every block of code of the quick start runs as it stands", async ({ request, spotline, signedIn }) => {
  expect(signedIn.cookies).not.toEqual([]);
  const env = { ...process.env, SPOTLINE_KEY: await createReaderKey(spotline, "docs-starter@example.com") };
  const markdown = await (await request.get("/docs.md")).text();
  const blocks = [...markdown.matchAll(/^```(\w+)\n([^]*?)^```$/gm)];
  expect(blocks.map(([, language]) => language)).toEqual(["sh", "ts", "python", "sh", "ts"]);
  for (const [, language, code = ""] of blocks) {
    if (language === "python" && !HAS_PYTHON) continue;
    const { stdout } = await promisify(execFile)(...(await formatCommand(language, code)), { env });
    expect(stdout, code).toMatch(/\d\.\d/);
    expect(stdout, code).not.toContain('"success":false');
  }
});

async function formatCommand(language: string | undefined, code: string): Promise<[string, string[]]> {
  if (language === "sh") return ["sh", ["-c", code]];
  if (language === "python") return ["python3", ["-c", `${PYTHON_REQUESTS}\n${code}`]];
  const program = await transform(code, { loader: "ts", format: "esm" });
  return [process.execPath, ["--input-type=module", "-e", program.code]];
}

async function createReaderKey(spotline: Spotline, email: string): Promise<string> {
  await addAccount(spotline, email, "pro");
  return (await createKey(spotline, email, "docs")).secret;
}

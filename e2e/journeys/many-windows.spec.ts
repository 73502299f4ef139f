import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, request as forward, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { addSession } from "@/e2e/journeys/accounts";
import { addAlerts, fire, notices } from "@/e2e/journeys/alerts-scene";
import { addAccount, expect, test } from "@/e2e/journeys/fixtures";
import { SESSION_COOKIE } from "@/e2e/support/sessions";
import type { Spotline } from "@/e2e/support/spotline";
import { preferSteadySource } from "@/e2e/support/steady-source";
import { startTestServer } from "@/e2e/support/test-server";
import { findFreePort } from "@/lib/platform/testing/free-port";
import { findInstalledChromium } from "@/scripts/chromium";

/**
 * Many windows of one browser over plain HTTP, where it opens at most six connections to a host. The browser of these
 * journeys finds the name prices.lan on this machine.
 */

const HOST = "prices.lan";
const ARGS = ["--no-sandbox", "--disable-gpu", `--host-resolver-rules=MAP ${HOST} 127.0.0.1`];
const WINDOWS = [
  "/quotes",
  "/quotes",
  "/symbols/BTCUSD?timeframe=M1",
  "/quotes",
  "/overview",
  "/symbols/ETHUSD?timeframe=M1",
  "/quotes",
  "/quotes",
];
const NGINX = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx"].find((path) => existsSync(path));
const OPERATOR = "operator@example.com";
/** A page or an answer takes a fraction of this beside the windows, and on a busy machine longer. Without a connection it never comes. */
const ANSWER_MS = 5_000;
/** What eight windows do one after the other takes seconds, and minutes on a busy machine. */
const PATIENT = { timeout: 60_000 };

let spotline: Spotline;
let browser: Browser;
/** What a test started, also one that fails. */
const ends: (() => Promise<unknown>)[] = [];

test.beforeAll(async ({ playwright }) => {
  const port = await findFreePort();
  const env = { SPOTLINE_URL: `http://${HOST}:${port}`, ...preferSteadySource() };
  spotline = await startTestServer({ env, port });
  const executablePath = findInstalledChromium() ?? undefined;
  // The first account.
  await addAccount(spotline, OPERATOR);
  browser = await playwright.chromium.launch({ executablePath, args: ARGS });
});
test.afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});
test.afterAll(async () => {
  await browser.close();
  await spotline.stop();
});

const readPort = () => new URL(spotline.url).port;

/** A browser with an account that has an alert. */
async function openBrowser(origin: string, email: string): Promise<BrowserContext> {
  await addAccount(spotline, email, "pro");
  await addAlerts(spotline, email, [{}]);
  const context = await browser.newContext({ baseURL: origin, reducedMotion: "reduce" });
  ends.unshift(() => context.close());
  await signIn(context, origin, email);
  return context;
}

async function signIn(context: BrowserContext, url: string, email: string): Promise<void> {
  await context.addCookies([{ name: SESSION_COOKIE, value: await addSession(spotline, email), url }]);
}

async function openWindow(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(path, { waitUntil: "commit", ...PATIENT });
  return page;
}

async function expectNotice(pages: readonly Page[], text: string): Promise<void> {
  for (const page of pages) await expect(notices(page), page.url()).toContainText(text, PATIENT);
}

/** What changes with each price and with nothing else. Ages go on without prices. */
const readPrices = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll(".cell-bid, [data-legend], section:has(#overview-movers)")]
      .map(({ textContent }) => textContent)
      .join(),
  );

async function expectMoving(pages: readonly Page[]): Promise<void> {
  const options = (page: Page) => ({ message: page.url(), ...PATIENT });
  for (const page of pages) await expect.poll(() => readPrices(page), options(page)).toMatch(/\d/);
  const before = await Promise.all(pages.map(readPrices));
  for (const [place, page] of pages.entries()) {
    await expect.poll(() => readPrices(page), options(page)).not.toBe(before[place]);
  }
}

async function expectConnections(pages: readonly Page[], label: string): Promise<void> {
  for (const page of pages) {
    if (!page.url().includes("/quotes")) continue;
    await expect(page.getByRole("status").filter({ hasText: label })).toBeVisible(PATIENT);
  }
}

/** The number of open streams with the board, as the status page shows it. */
async function countStreams(): Promise<number> {
  const cookie = `${SESSION_COOKIE}=${await addSession(spotline, OPERATOR)}`;
  const answer = await fetch(`${spotline.url}/status/data`, { headers: { cookie } });
  return ((await answer.json()) as { streams: number }).streams;
}

if (NGINX === undefined) console.warn("SKIPPED: windows behind nginx, because nginx is missing (Debian: nginx-light).");

/** Runs the site of deploy/ over plain HTTP in front of the server. Returns its address. */
async function startNginx(): Promise<string> {
  const [folder, port] = [await mkdtemp(join(tmpdir(), "spotline-nginx-")), await findFreePort()];
  const site = (await readFile("deploy/nginx/spotline.conf", "utf8"))
    .replace(/server \{\s+listen 80;.*?\n\}\n/s, "")
    .replace("listen 443 ssl http2;", `listen 127.0.0.1:${port};`)
    .replace(/^\s+ssl_.*\n/gm, "")
    .replaceAll("prices.example.com", HOST)
    .replace("127.0.0.1:3000", `127.0.0.1:${readPort()}`);
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const config = join(folder, "nginx.conf");
  const main = `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log; events {}`;
  await writeFile(config, `${main}\nhttp {\naccess_log off;\n${places.join("\n")}\n${site}\n}\n`);
  const child: ChildProcess = spawn(NGINX ?? "nginx", ["-p", folder, "-c", config, "-e", `${folder}/error.log`]);
  const ended = once(child, "exit");
  ends.push(async () => {
    child.kill();
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  const url = `http://${HOST}:${port}`;
  await expect
    .poll(() =>
      fetch(`http://127.0.0.1:${port}/health`).then(
        ({ status }) => status,
        () => child.exitCode,
      ),
    )
    .toBe(200);
  return url;
}

/** Runs a proxy that passes the head of a stream on and holds its events back. */
async function startBufferingProxy(): Promise<Server> {
  const proxy = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const options = { port: readPort(), method, path, headers };
    const request = forward(options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.flushHeaders();
      if (path?.startsWith("/live/stream") !== true) answer.pipe(outgoing);
    });
    request.on("error", () => outgoing.destroy());
    outgoing.on("close", () => request.destroy());
    incoming.pipe(request);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  ends.push(async () => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return proxy;
}

const places: readonly (readonly [string, () => Promise<string>])[] = [
  ["on localhost", async () => `http://localhost:${readPort()}`],
  // To the browser, which takes it for less secure than localhost, it is the same behind nginx.
  NGINX === undefined
    ? ["on a name of the network", async () => `http://${HOST}:${readPort()}`]
    : ["on a name of the network behind nginx", startNginx],
];

for (const [place, start] of places) {
  const title = `Eight windows ${place} have moving prices and the same alert, and leave connections for others`;
  test(title, async () => {
    test.setTimeout(480_000);
    const url = await start();
    const email = `${place.replaceAll(" ", "-")}@example.com`;
    const context = await openBrowser(url, email);
    const pages: Page[] = [];
    for (const path of WINDOWS) pages.push(await openWindow(context, path));
    await expectMoving(pages);
    await expectConnections(pages, "Streaming");
    await fire(spotline, email, "first of all windows");
    await expectNotice(pages, "first of all windows");

    const ninth = await context.newPage();
    const startedAt = performance.now();
    await ninth.goto("/keys", { waitUntil: "commit" });
    expect(performance.now() - startedAt).toBeLessThan(ANSWER_MS);
    // The server notices a moment later that a stream before this one has ended.
    await expect.poll(countStreams, PATIENT).toBe(1);

    await pages.shift()?.close();
    await expectMoving(pages);
    await fire(spotline, email, "second of all windows");
    await expectNotice(pages, "second of all windows");

    await ninth
      .getByRole("button", { name: /Account menu/ })
      .first()
      .click();
    const answer = ninth.waitForResponse((response) => response.request().method() === "POST");
    await ninth.getByRole("button", { name: "Sign out" }).click();
    const clickedAt = performance.now();
    await answer;
    expect(performance.now() - clickedAt).toBeLessThan(ANSWER_MS);
    for (const page of pages) await expect(page).toHaveURL(/\/sign-in/, PATIENT);
  });
}

test("Windows of two accounts get their own alerts, also when one browser signs in as another account", async () => {
  test.setTimeout(120_000);
  const url = `http://${HOST}:${readPort()}`;
  const [one, two] = ["one@example.com", "two@example.com"];
  const [first, second] = [await openBrowser(url, one), await openBrowser(url, two)];
  const [ofOne, ofTwo] = [await openWindow(first, "/quotes"), await openWindow(second, "/quotes")];
  await expectMoving([ofOne, ofTwo]);
  await fire(spotline, one, "only for the first");
  await expectNotice([ofOne], "only for the first");
  await fire(spotline, two, "only for the second");
  await expectNotice([ofTwo], "only for the second");
  await expect(notices(ofOne)).not.toContainText("second");
  await expect(notices(ofTwo)).not.toContainText("first");

  // The session of the first window ends, and another window of its browser belongs to the other account.
  await first.clearCookies();
  await signIn(first, url, two);
  const joined = await openWindow(first, "/keys");
  await expectNotice([joined], "only for the second");
  await fire(spotline, two, "again for the second");
  await expectNotice([joined, ofTwo], "again for the second");
  await expect(notices(ofOne)).not.toContainText("again for the second");
  await fire(spotline, one, "again for the first");
  await expectNotice([ofOne], "again for the first");
  for (const page of [joined, ofTwo]) await expect(notices(page)).not.toContainText("for the first");
});

test("Behind a proxy that holds streams back, all windows poll with one request, and say so", async () => {
  test.setTimeout(120_000);
  const proxy = await startBufferingProxy();
  const url = `http://${HOST}:${(proxy.address() as { port: number }).port}`;
  const email = "buffered@example.com";
  const context = await openBrowser(url, email);
  const pages = [await openWindow(context, "/quotes"), await openWindow(context, "/quotes")];
  await expectConnections(pages, "Polling");
  await expectMoving(pages);
  await fire(spotline, email, "without a stream");
  await expectNotice(pages, "without a stream");
});

test("A window that was left and comes back has moving prices again", async () => {
  const url = `http://${HOST}:${readPort()}`;
  const context = await openBrowser(url, "back@example.com");
  const page = await openWindow(context, "/quotes");
  await expectMoving([page]);
  await page.goto("/health");
  await page.goBack();
  await expectConnections([page], "Streaming");
  await expectMoving([page]);
});

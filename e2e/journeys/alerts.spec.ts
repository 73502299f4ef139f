import type { Browser, BrowserContext, Page } from "@playwright/test";
import { expectAccessible, expectNoSidewaysScroll } from "@/e2e/journeys/accessible";
import { confirmIfAsked, expect, signUp, test } from "@/e2e/journeys/fixtures";
import { joinServer } from "@/e2e/support/access";
import type { Spotline } from "@/e2e/support/spotline";
import { createAlerts } from "@/lib/alerts/alerts";
import { type AlertSettings } from "@/lib/alerts/check-alert";
import { startReceiver, verifyMessage } from "@/lib/alerts/delivery/receiver.fixture";
import { systemClock } from "@/lib/platform/timing/clock";

const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;
const FAR = { type: "price", symbol: "EURUSD", level: 9.5, direction: "up", price: "bid" } as const;

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const row = (page: Page, name: string) =>
  page.getByRole("table", { name: "Alerts" }).getByRole("row").filter({ hasText: name });
const notices = (page: Page) => page.getByRole("status", { name: "Alerts" });

/** Creates alerts of an account, which its pages show from their next load on. */
async function addAlerts({ place }: Spotline, email: string, all: readonly Partial<AlertSettings>[]): Promise<void> {
  const database = await joinServer(place);
  try {
    const { id: accountId } = await database.prisma.account.findFirstOrThrow({ where: { email } });
    const alerts = createAlerts(database, { now: systemClock });
    const usual = { name: "", condition: FAR, cooldownS: null, active: true, webhookId: null, byMail: false };
    const caller = { by: { kind: "owner", accountId }, reader: { role: "operator", plan: "pro" } } as const;
    for (const each of all) await alerts.create({ ...usual, ...each }, caller);
  } finally {
    await database.close();
  }
}

/** Alerts two points apart around the price now, of which the simulated market reaches some within seconds. */
async function addNearAlerts(spotline: Spotline, page: Page, email: string): Promise<void> {
  const { bid } = (await (await page.request.get("/alerts/price?symbol=EURUSD")).json()) as { bid: number };
  const levels = Array.from({ length: 21 }, (_, index) => Number((bid + (index - 10) * 2e-5).toFixed(5)));
  const toNear = (level: number) => ({
    condition: { ...FAR, direction: "either", level } as const,
    name: `Near ${level}`,
  });
  await addAlerts(spotline, email, levels.map(toNear));
}

/** Signs up, and changes the plan to one with more alerts and all events. */
async function signUpPro(browser: Browser, spotline: Spotline, email: string): Promise<Page> {
  const page = await signUp(browser, spotline.url, email);
  await spotline.cli("account", "set-plan", "--email", email, "--plan", "pro");
  return page;
}

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, element: ReturnType<Page["locator"]>): Promise<void> {
  for (let presses = 0; presses < 120; presses++) {
    await page.keyboard.press("Tab");
    if (await element.evaluate((each) => each === document.activeElement)) return;
  }
  await expect(element).toBeFocused();
}

for (const [size, viewport] of Object.entries(sizes)) {
  test(`An alert is created, edited, paused and deleted with the keyboard on a ${size}`, async ({
    browser,
    spotline,
  }) => {
    // axe reads the page twice, beside another journey.
    test.setTimeout(180_000);
    const page = await signUp(browser, spotline.url, `alerts-${size}@example.com`);
    await page.setViewportSize(viewport);
    await page.goto("/alerts");
    await expect(page.getByText("No alerts yet")).toBeVisible();
    await expectAccessible(page, `/alerts without alerts on a ${size}`);
    if (size === "phone") {
      await tabTo(page, page.getByRole("main").getByRole("link", { name: "Create alert" }));
      await page.keyboard.press("Enter");
    }
    const level = page.getByLabel("Level", { exact: true });
    await expect(level).toBeVisible();
    await tabTo(page, level);
    await page.keyboard.press("Enter");
    await expect(page.getByText("The level must be a number.")).toBeVisible();
    await expect(level).toBeFocused();
    await page.keyboard.type("9.5");
    await expect(page.getByText(/% above the bid now/)).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page.getByText("Alert created")).toBeVisible();
    const created = row(page, "bid crosses 9.50000");
    await expect(created).toContainText("armed");
    await expect(created).toContainText(/\d\.\d{5}level \d+\.\d\d % above/);
    await expect(page.getByText("1 of")).toBeVisible();

    await tabTo(page, created.getByRole("link", { name: /^Edit/ }));
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Edit alert" })).toBeVisible();
    await expect(level).toHaveValue("9.50000");
    await level.fill("9.6");
    await level.press("Enter");
    const edited = row(page, "bid crosses 9.60000");
    await expect(edited).toContainText("armed");
    await tabTo(page, edited.getByRole("button", { name: /^Pause/ }));
    await page.keyboard.press("Enter");
    await expect(edited).toContainText("paused");
    await edited.getByRole("button", { name: /^Resume/ }).press("Enter");
    await expect(edited).toContainText("armed");
    await expectAccessible(page, `/alerts on a ${size}`);
    await expectNoSidewaysScroll(page, `/alerts on a ${size}`);
    await edited.getByRole("link", { name: /^Delete/ }).press("Enter");
    await tabTo(page, button(page, "Delete alert"));
    await page.keyboard.press("Enter");
    await expect(page.getByText("No alerts yet")).toBeVisible();
    await page.context().close();
  });
}

test("Every kind of alert can be created, and the pages of symbols and events lead to the form", async ({
  browser,
  spotline,
}) => {
  const trader = await signUpPro(browser, spotline, "kinds@example.com");
  await trader.goto("/symbols/GBPJPY");
  await trader.getByRole("link", { name: "Alert…" }).click();
  await expect(trader).toHaveURL("/alerts?kind=price&symbol=GBPJPY");
  await expect(trader.getByLabel("Symbol", { exact: true })).toHaveValue("GBPJPY");
  const kinds = [
    ["Move in %", "GBPJPY moves by 0.5 % within 60 minutes"],
    ["Wide spread", "GBPJPY spread is above its usual"],
    ["State", "GBPJPY becomes stale"],
    ["Release", "A figure is published: high impact"],
    ["Event due", "An event is due in 15 minutes: high impact"],
  ] as const;
  for (const [kind, words] of kinds) {
    await trader.goto("/alerts?symbol=GBPJPY");
    await expect(async () => {
      // Before its script runs, the form forgets the choice.
      await trader.getByRole("radio", { name: kind }).press("Space");
      await expect(trader.getByLabel("Level", { exact: true })).toHaveCount(0, { timeout: 1_000 });
    }).toPass();
    await button(trader, "Create alert").click();
    await expect(row(trader, words.replace("GBPJPY ", ""))).toContainText("armed");
  }
  await trader.goto("/calendar?range=near&currencies=USD,EUR");
  const event = trader.locator("tr[data-line=event]").getByRole("button").last();
  await event.click();
  await trader.getByRole("link", { name: "Alert…" }).click();
  await expect(trader).toHaveURL(/\/alerts\?kind=(release|upcoming)&currencies=(USD|EUR)/);
  await expect(trader.getByLabel("Words in the title")).toHaveValue(/\w/);
  await trader.goto("/quotes");
  const link = trader.getByRole("navigation", { name: "Pages of EURUSD" }).getByRole("link", { name: "Alert…" });
  await expect(async () => {
    // Before its script runs, a row does not open.
    await button(trader, /^EURUSD\b/).click();
    await expect(link).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(link).toHaveAttribute("href", "/alerts?kind=price&symbol=EURUSD");
  await trader.keyboard.press("Escape");
  await trader.goto("/keys");
  await expect(async () => {
    // Before its script runs, the page has no shortcuts.
    await trader.keyboard.press("g");
    await trader.keyboard.press("a");
    await expect(trader).toHaveURL("/alerts", { timeout: 2_000 });
  }).toPass();
  await trader.context().close();
});

/**
 * Records the notifications of all tabs. A browser without a window always reads the permission as denied, also when it
 * is given, so the page reads what its request was answered.
 */
async function recordNotifications(context: BrowserContext) {
  const shown: { title: string; body: string; tag: string }[] = [];
  await context.exposeFunction("recordNotification", (title: string, { body, tag }: { body: string; tag: string }) =>
    shown.push({ title, body, tag }),
  );
  await context.addInitScript(() => {
    const { recordNotification } = window as unknown as { recordNotification: (...args: unknown[]) => void };
    const given = "given-permission";
    const requestPermission = async () => {
      const answer = await navigator.permissions.query({ name: "notifications" });
      localStorage.setItem(given, answer.state);
    };
    window.Notification = new Proxy(Notification, {
      construct(target, args) {
        recordNotification(...args);
        return Reflect.construct(target, args) as object;
      },
      get(target, name) {
        if (name === "permission") return localStorage.getItem(given) ?? "default";
        return name === "requestPermission" ? requestPermission : (Reflect.get(target, name) as unknown);
      },
    });
  });
  return shown;
}

test("What fires is shown on every page without a reload, and notified once by all tabs", async ({
  browser,
  spotline,
}) => {
  test.setTimeout(120_000);
  const email = "fired@example.com";
  const page = await signUpPro(browser, spotline, email);
  const context = page.context();
  await context.grantPermissions(["notifications"]);
  const shown = await recordNotifications(context);
  await addAlerts(spotline, email, [{}]);
  await page.goto("/alerts");
  await button(page, "Show notifications").click();
  await expect(page.getByText("This browser shows a notification when an alert fires")).toBeVisible();
  await button(page, "Show a test").click();
  await expect.poll(() => shown.map(({ title }) => title)).toEqual(["Spotline test"]);
  await page.goto("/strength");
  const other = await context.newPage();
  await other.goto("/sessions");
  await addNearAlerts(spotline, page, email);
  await expect(notices(other)).toContainText(/EURUSD crossed \d\.\d{5}: bid/, { timeout: 60_000 });
  await expect(notices(page)).toContainText(/EURUSD crossed \d\.\d{5}: bid/);
  await expect.poll(() => shown.length).toBeGreaterThan(1);
  const first = shown[1];
  expect(first?.title).toMatch(/^Near \d/);
  expect(first?.body).toMatch(/^EURUSD crossed .*\(simulated prices\)\.$/);
  await other.reload();
  await expect(notices(other)).toContainText("EURUSD crossed");
  await page.goto("/alerts");
  const log = page.getByRole("table", { name: "Log" });
  await expect(log).toContainText("EURUSD crossed");
  await expect(row(page, "Near").filter({ hasText: "fired" }).first()).toBeVisible();
  const count = await log.getByRole("row").count();
  await addNearAlerts(spotline, page, email);
  await expect.poll(() => log.getByRole("row").count(), { timeout: 60_000 }).toBeGreaterThan(count);
  expect(shown.filter(({ tag }) => tag === first?.tag)).toHaveLength(1);
  expect(new Set(shown.map(({ tag }) => tag)).size).toBe(shown.length);
  await expectAccessible(page, "/alerts with a log");
  await page.setViewportSize(sizes.phone);
  await expectNoSidewaysScroll(page, "/alerts with a log on a phone");
  await expectAccessible(page, "/alerts with a log on a phone");
  await context.close();
});

test("A notice stays until it is closed, in all tabs, and the overview lists what fired", async ({
  browser,
  spotline,
}) => {
  test.setTimeout(120_000);
  const email = "closed@example.com";
  const page = await signUpPro(browser, spotline, email);
  await addAlerts(spotline, email, [{}]);
  await page.goto("/overview");
  const panel = page.getByRole("region", { name: "Alerts" });
  await expect(panel).toContainText("1 armed");
  await addNearAlerts(spotline, page, email);
  const close = button(page, /^Close the notice of Near/).first();
  await expect(close).toBeVisible({ timeout: 60_000 });
  await expect(panel).toContainText("Near");
  await expectAccessible(page, "/overview with a notice");
  const badge = page.getByRole("link", { name: /^Alerts, \d+ new$/ }).first();
  await expect(badge).toBeVisible();
  await page.reload();
  await expect(close).toBeVisible();
  const name = (await close.getAttribute("aria-label")) ?? "";
  await close.click();
  await expect(button(page, name)).toHaveCount(0);
  await page.reload();
  await expect(panel).toContainText("Near");
  await expect(button(page, name)).toHaveCount(0);
  await page.goto("/alerts");
  await expect(badge).toHaveCount(0);
  await page.context().close();
});

test("Without the permission the page says how to allow notifications, and requests it only by a click", async ({
  browser,
  spotline,
}) => {
  const page = await signUp(browser, spotline.url, "denied@example.com");
  await page.addInitScript(() => {
    Object.assign(window, { requests: 0 });
    const request = Notification.requestPermission.bind(Notification);
    Notification.requestPermission = () => {
      Object.assign(window, { requests: 1 });
      return request();
    };
  });
  await page.goto("/alerts");
  await expect(page.getByText("No alerts yet")).toBeVisible();
  expect(await page.evaluate("requests")).toBe(0);
  // A browser without a window refuses at once.
  const refused = page.getByText("This browser blocks notifications of this site.");
  await expect(refused.or(button(page, "Show notifications"))).toBeVisible();
  if (await button(page, "Show notifications").isVisible()) await button(page, "Show notifications").click();
  await expect(refused).toBeVisible();
  await page.context().close();
});

test("A webhook is added with the password, receives a signed test, and its log shows the delivery", async ({
  browser,
  spotline,
}) => {
  let status = 200;
  const receiver = await startReceiver((response) => void response.writeHead(status).end("thanks"));
  const page = await signUp(browser, spotline.url, "webhooks@example.com");
  await page.goto("/alerts");
  await page.getByRole("form", { name: "Webhooks" }).getByLabel("Name").fill("Desk");
  await page.getByLabel("Address").fill("ftp://nowhere");
  await confirmIfAsked(page);
  await button(page, "Add webhook").click();
  await expect(page.getByText("Enter an address such as https://example.com/alerts.")).toBeVisible();
  await page.getByLabel("Address").fill(receiver.url);
  await confirmIfAsked(page);
  await button(page, "Add webhook").click();
  const dialog = page.getByRole("dialog");
  const secret = (await dialog.locator("#webhook-secret").textContent()) ?? "";
  expect(secret).toMatch(/^whsec_/);
  await expectAccessible(page, "the secret of a webhook");
  await dialog.getByLabel("I have stored this secret").check();
  await button(page, "Done").click();
  await expect(page.getByText(secret)).toHaveCount(0);
  await button(page, "Send test to Desk").click();
  await expect.poll(() => receiver.received.length).toBe(1);
  expect(receiver.received.every((message) => verifyMessage(secret, message))).toBe(true);
  const summary = page.getByText("Deliveries, the last:");
  await expect(summary).toContainText("delivered, 200 in");
  status = 500;
  await button(page, "Send test to Desk").click();
  await expect(summary).toContainText(/try 1 of 8 failed \(status 500\), next in \d s/);
  await summary.click();
  const log = page.getByRole("table", { name: "Deliveries to Desk" });
  await expect(log.getByRole("row")).toHaveCount(3);
  await expect(log.getByRole("row").nth(1)).toContainText(/500 in \d+ msthanks/);
  await expect(log.getByRole("row").nth(2)).toContainText(/delivered.*1 of 8.*200 in \d+ ms/);
  for (const viewport of Object.values(sizes)) {
    await page.setViewportSize(viewport);
    await expectAccessible(page, `/alerts with a webhook, ${viewport.width} wide`);
    await expectNoSidewaysScroll(page, `/alerts with a webhook, ${viewport.width} wide`);
  }
  await page.getByText("Delete Desk").click();
  await button(page, "Delete webhook").click();
  await expect(button(page, "Send test to Desk")).toHaveCount(0);
  await page.context().close();
  await receiver.close();
});

test("The page names the limits of the plan, and the plans with more", async ({ browser, spotline }) => {
  const email = "limits@example.com";
  const page = await signUp(browser, spotline.url, email);
  await spotline.cli("account", "set-plan", "--email", email, "--plan", "free");
  await addAlerts(spotline, email, [{}, {}, {}, {}]);
  await page.goto("/alerts?kind=release");
  await expect(page.getByText("4 of 5 active alerts of the Free plan")).toBeVisible();
  await expect(page.getByText("It is included in Starter, Pro and Enterprise.")).toBeVisible();
  await button(page, "Create alert").click();
  await expect(page.getByText("Your plan does not include released figures.")).toBeVisible();
  await addAlerts(spotline, email, [{}]);
  await page.goto("/alerts?kind=price&level=9");
  await expect(page.getByText("Pay as you go has 50.")).toBeVisible();
  await button(page, "Create alert").click();
  await expect(page.getByText("Your plan allows 5 active alerts. Pause or delete one.")).toBeVisible();
  await expectAccessible(page, "/alerts at its limit");
  await page.context().close();
});

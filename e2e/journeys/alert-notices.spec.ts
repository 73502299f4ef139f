import type { Page } from "@playwright/test";
import { expectAccessible, expectNoSidewaysScroll } from "@/e2e/journeys/accessible";
import { addAlerts, button, FAR, fire, notices, row, sizes } from "@/e2e/journeys/alerts-scene";
import { connectAlone, createAccount, expect, test } from "@/e2e/journeys/fixtures";
import type { Spotline } from "@/e2e/support/spotline";

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

/**
 * Records the notifications of all tabs. A browser without a window always reads the permission as denied, also when it
 * is given, so the page reads what its request was answered.
 */
async function recordNotifications(pages: readonly Page[]) {
  const shown: { title: string; body: string; tag: string }[] = [];
  for (const page of pages) {
    await page.exposeFunction("recordNotification", (title: string, { body, tag }: { body: string; tag: string }) =>
      shown.push({ title, body, tag }),
    );
    await page.addInitScript(() => {
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
  }
  return shown;
}

test("What fires is shown on every page without a reload, and notified once by all tabs", async ({
  context,
  spotline,
}) => {
  test.setTimeout(120_000);
  const email = "fired@example.com";
  const page = await createAccount(context, spotline, email, "pro");
  const other = await context.newPage();
  await context.grantPermissions(["notifications"]);
  const shown = await recordNotifications([page, other]);
  await addAlerts(spotline, email, [{}]);
  await page.goto("/alerts");
  await button(page, "Show notifications").click();
  await expect(page.getByText("This browser shows a notification when an alert fires")).toBeVisible();
  await button(page, "Show a test").click();
  await expect.poll(() => shown.map(({ title }) => title)).toEqual(["Spotline test"]);
  await page.goto("/strength");
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
  await expectAccessible(log, "the log of alerts");
  await page.setViewportSize(sizes.phone);
  await expectNoSidewaysScroll(page, "/alerts with a log on a phone");
  await expectAccessible(log, "the log of alerts on a phone");
});

test("A window that opens later shows what fired before, and so does one without a shared worker or a stream", async ({
  context,
  spotline,
}) => {
  const email = "later@example.com";
  const page = await createAccount(context, spotline, email, "pro");
  await addAlerts(spotline, email, [{}]);
  await page.goto("/sessions");
  await fire(spotline, email, "EURUSD crossed 1.10000");
  await expect(notices(page)).toContainText("EURUSD crossed");
  const requests: string[] = [];
  // The stream of the first window stays open, and brings the second one nothing that fired before.
  const later = await context.newPage();
  await later.goto("/strength");
  await expect(notices(later)).toContainText("EURUSD crossed");
  const alone = await context.newPage();
  await connectAlone(alone);
  alone.on("request", (request) => requests.push(new URL(request.url()).pathname));
  await alone.route("**/live/stream?*", (route) => route.abort());
  await alone.goto("/strength");
  await expect(notices(alone)).toContainText("EURUSD crossed");
  expect(requests).toContain("/live/now");
});

test("A notice stays until it is closed, in all tabs, and the overview lists what fired", async ({
  context,
  spotline,
}) => {
  const email = "closed@example.com";
  const page = await createAccount(context, spotline, email, "pro");
  await addAlerts(spotline, email, [{ name: "Near" }]);
  await page.goto("/overview");
  const panel = page.getByRole("region", { name: "Alerts" });
  await expect(panel).toContainText("1 armed");
  await fire(spotline, email, "EURUSD crossed 1.10000");
  const close = button(page, "Close the notice of Near");
  await expect(close).toBeVisible();
  await expectAccessible(notices(page), "a notice");
  const badge = page.getByRole("link", { name: /^Alerts, \d+ new$/ }).first();
  await expect(badge).toBeVisible();
  await page.reload();
  await expect(close).toBeVisible();
  await close.click();
  await expect(close).toHaveCount(0);
  await page.reload();
  await expect(panel).toContainText("Near");
  await expect(close).toHaveCount(0);
  await page.goto("/alerts");
  await expect(badge).toHaveCount(0);
});

test("Without the permission the page says how to allow notifications, and requests it only by a click", async ({
  context,
  spotline,
}) => {
  const page = await createAccount(context, spotline, "denied@example.com");
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
  await button(page, "Show notifications")
    .click({ timeout: 2_000 })
    .catch(() => {});
  await expect(refused).toBeVisible();
});

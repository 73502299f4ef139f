import { expectAccessible, expectNoSidewaysScroll } from "@/e2e/journeys/accessible";
import { button, sizes } from "@/e2e/journeys/alerts-scene";
import { confirmIfAsked, createAccount, expect, test } from "@/e2e/journeys/fixtures";
import { startReceiver, verifyMessage } from "@/lib/alerts/delivery-scene.fixture";

test("A webhook is added with the password, receives a signed test, and its log shows the delivery", async ({
  context,
  spotline,
}) => {
  let status = 200;
  const receiver = await startReceiver((response) => void response.writeHead(status).end("thanks"));
  const page = await createAccount(context, spotline, "webhooks@example.com");
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
  await expectAccessible(dialog, "the secret of a webhook");
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
    await expectAccessible(log, `deliveries, ${viewport.width} wide`);
    await expectNoSidewaysScroll(page, `/alerts with a webhook, ${viewport.width} wide`);
  }
  await page.getByText("Delete Desk").click();
  await button(page, "Delete webhook").click();
  await expect(button(page, "Send test to Desk")).toHaveCount(0);
  await receiver.close();
});

import { expectAccessible } from "@/e2e/journeys/accessible";
import { expect, test } from "@/e2e/journeys/fixtures";

test("The palette and the shortcuts lead to symbols and pages, and keep the symbol", async ({ trader: page }) => {
  await page.goto("/overview");
  const field = page.getByRole("combobox", { name: "Search symbols, pages and actions" });
  // A page takes no key before its scripts run.
  await expect(async () => {
    await page.keyboard.press("Control+k");
    await expect(field).toBeFocused({ timeout: 1_000 });
  }).toPass({ timeout: 20_000 });
  await field.fill("dax");
  await expect(page.getByRole("option").first()).toContainText("GER40");
  await expect(page.getByRole("option", { selected: true })).toHaveCount(1);
  await expectAccessible(page.getByRole("dialog"), "the palette");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/symbols/GER40");
  await expect(field).toHaveCount(0);

  // On a busy machine more than the time between two keys can pass.
  await expect(async () => {
    await page.keyboard.press("g");
    await page.keyboard.press("s");
    await page.waitForURL("**/spreads?symbols=GER40", { timeout: 4_000 });
  }).toPass({ timeout: 20_000 });
  await expect(page.getByRole("link", { name: "Indicators", exact: true }).first()).toHaveAttribute(
    "href",
    "/indicators?symbol=GER40",
  );

  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");

  await page.goto("/quotes");
  const search = page.getByRole("textbox", { name: "Search symbols" });
  await search.click();
  await page.keyboard.type("?gk");
  await expect(search).toHaveValue("?gk");
  await expect(page).toHaveURL(/\/quotes/);
});

test("The palette on a phone changes the colours, which stay", async ({ trader: page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/strength");
  await page.getByRole("button", { name: "Search symbols and pages" }).click();
  await page.getByRole("combobox", { name: "Search symbols, pages and actions" }).fill("blue");
  await page.getByRole("option", { name: "Blue and orange prices" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-palette", "blue-orange");
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-palette", "blue-orange");
  await expectAccessible(page.getByRole("main"), "/strength in blue and orange");
});

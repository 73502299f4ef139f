import { expect, test } from "@/e2e/journeys/fixtures";

test("A page loads a linked page in advance when the pointer or the focus reaches its link, not before", async ({
  trader: page,
}) => {
  const loaded: string[] = [];
  page.on("request", (request) => {
    if (request.headers()["next-router-prefetch"] !== undefined) loaded.push(new URL(request.url()).pathname);
  });
  await page.goto("/keys");
  await page.waitForLoadState("networkidle");
  expect(loaded).toEqual([]);
  await page.getByRole("link", { name: "Usage", exact: true }).hover();
  await expect.poll(() => [...new Set(loaded)]).toEqual(["/usage"]);
  await page.getByRole("link", { name: "Plan", exact: true }).focus();
  await expect.poll(() => [...new Set(loaded)]).toEqual(["/usage", "/plan"]);
});

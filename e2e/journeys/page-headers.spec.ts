import { expect, test } from "@/e2e/journeys/fixtures";

test("A page runs only scripts with its nonce and cannot be framed", async ({ trader }) => {
  const first = await trader.goto("/quotes");
  const headers = first?.headers() ?? {};
  const policy = headers["content-security-policy"] ?? "";
  expect(policy).toMatch(/script-src 'self' 'nonce-[^']{24}' 'strict-dynamic';/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  expect(headers).toMatchObject({
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
  });
  expect(headers["strict-transport-security"]).toBeUndefined();

  const hasRun = await trader.evaluate(() => {
    const script = document.createElement("div");
    script.innerHTML = `<img src="data:," onerror="window.ran = true">`;
    document.body.append(script);
    return new Promise((resolve) => setTimeout(() => resolve("ran" in window), 100));
  });
  expect(hasRun).toBe(false);

  const again = (await trader.request.get("/quotes")).headers()["content-security-policy"];
  expect(again).not.toBe(policy);
});

test("A browser that blocks cookies is told so before signing in, and one that allows them is not", async ({
  context,
}) => {
  const page = await context.newPage();
  const notice = page.getByRole("alert").filter({ hasText: "blocks the cookies" });
  await page.goto("/sign-in");
  await expect(page.getByRole("button", { name: "Sign in", exact: true })).toBeVisible();
  await expect(notice).toHaveCount(0);
  await page.addInitScript(() => Object.defineProperty(navigator, "cookieEnabled", { value: false }));
  await page.reload();
  await expect(notice).toBeVisible();
});

import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { redirect } from "next/navigation";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { definePage, readSoon } from "@/features/session/page-parts";

const outage = Object.assign(new Error("connect ECONNREFUSED 10.1.2.3"), { code: "ECONNREFUSED" });

test("A part that fails or is late leaves its page without it, and only a fault of ours is logged", async () => {
  const error = vi.fn();
  const log = { error };
  expect(await readSoon({ log }, Promise.resolve("read"))).toBe("read");
  expect(await readSoon({ log }, Promise.reject(outage))).toBeNull();
  expect(await readSoon({ log }, new Promise(() => {}), 1)).toBeNull();
  expect(error).not.toHaveBeenCalled();
  expect(await readSoon({ log }, Promise.reject(new TypeError("x is undefined")))).toBeNull();
  expect(error).toHaveBeenCalledOnce();
});

test("A page without its database has its title and says that it tries again, without the words of the error", async () => {
  const Page = definePage("API keys", () => Promise.reject(outage));
  const html = renderToStaticMarkup(
    <AppRouterContext.Provider value={{} as AppRouterInstance}>{await Page({})}</AppRouterContext.Provider>,
  );
  expect(html).toContain("<h1");
  expect(html).toContain("API keys");
  expect(html).toContain("tried again every few seconds");
  expect(html).not.toContain("10.1.2.3");
});

test("A page that redirects, or fails by our fault, does so", async () => {
  await expect(definePage("A", async () => redirect("/sign-in"))({})).rejects.toThrow("NEXT_REDIRECT");
  await expect(definePage("A", () => Promise.reject(new TypeError("ours")))({})).rejects.toThrow("ours");
});

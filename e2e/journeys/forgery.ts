import type { Page, Request } from "@playwright/test";
import { expect } from "@/e2e/journeys/fixtures";

export async function readCookies(page: Page): Promise<string> {
  return (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
}

/** Sends a browser's request again, with another cookie and some words replaced. Resolves with the answer's body. */
export async function replay(request: Request, words: Record<string, string>, cookie: string): Promise<string> {
  let body = request.postData() ?? "";
  for (const [from, to] of Object.entries(words)) {
    expect(body).toContain(from);
    body = body.replaceAll(from, to);
  }
  const { "content-type": type = "", "next-action": action = "", accept = "" } = request.headers();
  const headers = {
    "content-type": type,
    "next-action": action,
    accept,
    origin: new URL(request.url()).origin,
    cookie,
  };
  const response = await fetch(request.url(), { method: "POST", headers, body, redirect: "manual" });
  return response.text();
}

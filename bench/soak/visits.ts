import { setTimeout as pause } from "node:timers/promises";
import { createFormClient } from "@/e2e/support/form-client";

const PAGES = ["/quotes", "/calendar", "/heatmap", "/keys", "/usage", "/status"];
const PAGE_EVERY_MS = 2_000;
const STREAM_LASTS_MS = 60_000;

/**
 * Visits the dashboard like one member: a page every two seconds, and the stream of the board, which is opened again
 * each minute. Ends with the signal.
 */
export async function visitPages(url: string, email: string, password: string, signal: AbortSignal): Promise<void> {
  const browser = createFormClient(url);
  await browser.submit("/sign-in", /Sign in/, { email, password });
  if ((await request(url, "/quotes", browser.cookie(), signal)) !== 200) throw new Error("could not sign in");
  await Promise.all([
    repeat(signal, async (nth) => {
      await request(url, PAGES[nth % PAGES.length] as string, browser.cookie(), signal);
      await pause(PAGE_EVERY_MS, undefined, { signal });
    }),
    repeat(signal, async () => {
      const whole = AbortSignal.any([signal, AbortSignal.timeout(STREAM_LASTS_MS)]);
      await request(url, "/quotes/stream", browser.cookie(), whole);
    }),
  ]);
}

async function repeat(signal: AbortSignal, work: (nth: number) => Promise<void>): Promise<void> {
  for (let nth = 0; !signal.aborted; nth++) {
    // A failed visit is not what is measured. The server's own failures show in the calls.
    await work(nth).catch(() => pause(1_000, undefined, { signal }).catch(() => {}));
  }
}

async function request(url: string, path: string, cookie: string, signal: AbortSignal): Promise<number> {
  const answer = await fetch(url + path, { headers: { cookie }, redirect: "manual", signal });
  for await (const chunk of answer.body ?? []) void chunk;
  return answer.status;
}

import { setTimeout as pause } from "node:timers/promises";
import { createFormClient } from "@/e2e/support/form-client";

const PAGES = ["/quotes", "/calendar", "/strength", "/keys", "/usage", "/overview"];
const PAGE_EVERY_MS = 2_000;
const STREAM_LASTS_MS = 60_000;
const WARMING_ROUNDS = 1_000;

/** A member who is signed in. */
export interface Visitor {
  readonly url: string;
  readonly cookie: string;
}

/** Signs in. Throws an Error if a page cannot be read afterwards. */
export async function signIn(url: string, email: string, password: string): Promise<Visitor> {
  const browser = createFormClient(url);
  await browser.submit("/sign-in", /Sign in/, { email, password });
  const visitor = { url, cookie: browser.cookie() };
  for (const path of PAGES) {
    const { status, url: shown } = await request(visitor, path, AbortSignal.timeout(60_000));
    if (status !== 200 || new URL(shown).pathname !== path)
      throw new Error(`${path} led to ${shown}, status ${status}`);
  }
  return visitor;
}

/**
 * Visits each page many times without a pause. V8 compiles what runs often, which adds some megabytes of code in the first
 * thousands of visits. That growth ends, and would hide the growth that a soak looks for.
 */
export async function warmPages(visitor: Visitor, signal: AbortSignal): Promise<void> {
  for (let round = 0; round < WARMING_ROUNDS && !signal.aborted; round++) {
    for (const path of PAGES) await request(visitor, path, signal).catch(() => {});
  }
}

/**
 * Visits the dashboard like one member: a page every two seconds, and the stream of the board, which is opened again
 * each minute. Ends with the signal.
 */
export async function visitPages(visitor: Visitor, signal: AbortSignal): Promise<void> {
  await Promise.all([
    repeat(signal, async (nth) => {
      await request(visitor, PAGES[nth % PAGES.length] as string, signal);
      await pause(PAGE_EVERY_MS, undefined, { signal });
    }),
    repeat(signal, async () => {
      const whole = AbortSignal.any([signal, AbortSignal.timeout(STREAM_LASTS_MS)]);
      await request(visitor, "/live/stream?topic=board", whole);
    }),
  ]);
}

async function repeat(signal: AbortSignal, work: (nth: number) => Promise<void>): Promise<void> {
  for (let nth = 0; !signal.aborted; nth++) {
    // A failed visit is not what is measured. The server's own failures show in the calls.
    await work(nth).catch(() => pause(1_000, undefined, { signal }).catch(() => {}));
  }
}

async function request({ url, cookie }: Visitor, path: string, signal: AbortSignal): Promise<Response> {
  const response = await fetch(url + path, { headers: { cookie }, signal });
  for await (const chunk of response.body ?? []) void chunk;
  return response;
}

import { createContext, runInContext } from "node:vm";
import { expect, test } from "vitest";
import { WORKER_SOURCE } from "@/components/shell/worker-source";

type Listener = (event: object) => void;

/** Runs the worker where a browser would, with these open tabs. */
function startWorker(tabs: object[], load: () => Promise<unknown> = () => Promise.reject(new Error("no network"))) {
  const listeners = new Map<string, Listener>();
  const opened: string[] = [];
  const clients = {
    claim: () => Promise.resolve(),
    matchAll: () => Promise.resolve(tabs),
    openWindow: (href: string) => Promise.resolve(void opened.push(href)),
  };
  const addEventListener = (type: string, listener: Listener) => void listeners.set(type, listener);
  runInContext(
    WORKER_SOURCE,
    createContext({ addEventListener, clients, fetch: load, registration: {}, Response, skipWaiting: () => {} }),
  );
  return {
    opened,
    async click(data: object | null): Promise<boolean> {
      let isClosed = false;
      let done: Promise<unknown> = Promise.resolve();
      const notification = { data, close: () => void (isClosed = true) };
      listeners.get("notificationclick")?.({ notification, waitUntil: (work: Promise<unknown>) => void (done = work) });
      await done;
      return isClosed;
    },
    /** The response to a request, or null where the worker leaves it to the browser. */
    async request(method: string, mode: string): Promise<Response | null> {
      let response: Promise<Response> | null = null;
      const respondWith = (answer: Promise<Response>) => void (response = answer);
      listeners.get("fetch")?.({ request: { method, mode }, preloadResponse: undefined, respondWith });
      return response;
    },
  };
}

test("A click on a notification closes it, and shows its page in an open tab", async () => {
  const shown: string[] = [];
  const tab = {
    focus: () => Promise.resolve(void shown.push("focus")),
    navigate: (href: string) => Promise.resolve(void shown.push(href)),
  };
  const worker = startWorker([tab]);
  expect(await worker.click({ href: "/symbols/EURUSD" })).toBe(true);
  expect(shown).toEqual(["focus", "/symbols/EURUSD"]);
  expect(worker.opened).toEqual([]);
});

test("A click on a notification opens its page where no tab is open", async () => {
  const worker = startWorker([]);
  expect(await worker.click({ href: "/alerts" })).toBe(true);
  expect(worker.opened).toEqual(["/alerts"]);
});

test("A notification without a page is only closed", async () => {
  const worker = startWorker([]);
  for (const data of [null, {}]) expect(await worker.click(data)).toBe(true);
  expect(worker.opened).toEqual([]);
});

test("A navigation without a network shows the page of the worker, and other requests are left alone", async () => {
  const worker = startWorker([]);
  const page = await worker.request("GET", "navigate");
  expect(page?.status).toBe(503);
  expect(await page?.text()).toContain("Spotline cannot be reached");
  for (const [method, mode] of [
    ["POST", "navigate"],
    ["GET", "cors"],
  ] as const) {
    expect(await worker.request(method, mode)).toBeNull();
  }
});

test("A navigation with a network gets the answer of the server", async () => {
  const answer = new Response("a page");
  expect(await startWorker([], () => Promise.resolve(answer)).request("GET", "navigate")).toBe(answer);
});

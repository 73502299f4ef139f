import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { Spotline } from "@/e2e/support/spotline";

/** Shared by the tests of several processes that answer calls. */

/** The processes that a server has started. Without pages each of them answers calls. */
export function listChildren({ pid }: Pick<Spotline, "pid">): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
}

/** Those of them that accept connections at the server's port. */
export function listListening({ pid, url }: Pick<Spotline, "pid" | "url">): number[] {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, "0");
  const sockets = ["tcp", "tcp6"]
    .flatMap((family) => readFileSync(`/proc/${pid}/net/${family}`, "utf8").split("\n"))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(`:${port}`) === true && state === LISTENING)
    .map((columns) => `socket:[${columns[9]}]`);
  return listChildren({ pid }).filter((child) => listOpenFiles(child).some((file) => sockets.includes(file)));
}

const LISTENING = "0A";

/** A file may be closed, and the process may end, before it is read. */
function listOpenFiles(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`));
  } catch {
    return [];
  }
}

interface Reader extends Part {
  readonly behind_ms: number;
  readonly behind_changes: number;
}

/** What one of the processes answers to `/ready`, over a connection of its own. `isWhole`: no part has a problem. */
export async function readReady({ url }: Pick<Spotline, "url">): Promise<Ready> {
  const response = await fetch(`${url}/ready`, { headers: { Connection: "close" } });
  const { components } = (await response.json()) as { components: { reader?: Reader } & Record<string, Part> };
  const isWhole = Object.values(components).every(({ status }) => status === "ok");
  return { status: response.status, isWhole, components, ...(components.reader && { reader: components.reader }) };
}

interface Ready {
  readonly status: number;
  readonly isWhole: boolean;
  readonly components: Readonly<Record<string, Part>>;
  readonly reader?: Reader;
}

interface Part {
  readonly status: string;
}

/** Reads a price again and again from several callers, each over its own connections, until it is stopped. */
export function keepCalling({ url }: Pick<Spotline, "url">, key: string, callers: number) {
  let isStopped = false;
  let answered = 0;
  let cut = 0;
  const refused: Record<number, number> = {};
  /** Prices that were older than one that the same caller had before, by more than one process may be behind another. */
  const older: string[] = [];

  async function call(newestMs: number): Promise<number> {
    const response = await fetch(`${url}/v1/quote?symbol=BTCUSD`, { headers: { "X-API-Key": key } });
    const body = (await response.json()) as { data?: { timestamp: string } };
    if (response.status !== 200) refused[response.status] = (refused[response.status] ?? 0) + 1;
    if (body.data === undefined) return newestMs;
    answered++;
    const timeMs = Date.parse(body.data.timestamp);
    if (timeMs < newestMs - MAX_BEHIND_MS) older.push(`${timeMs - newestMs} ms`);
    return Math.max(newestMs, timeMs);
  }

  async function repeat(): Promise<void> {
    let newestMs = 0;
    while (!isStopped) {
      try {
        newestMs = await call(newestMs);
      } catch {
        cut++;
      }
    }
  }

  const running = Array.from({ length: callers }, repeat);
  return {
    async stop() {
      isStopped = true;
      await Promise.all(running);
      return { answered, refused, cut, older };
    },
  };
}

const MAX_BEHIND_MS = 1_000;

import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { findNetwork } from "@/lib/access/allow-list";
import { isTrustedProxy } from "@/lib/api/engine/client-address";
import type { Logger } from "@/lib/platform/log/log";
import type { TrustedProxies } from "@/lib/platform/settings/proxy-settings";
import { MINUTE_MS } from "@/lib/time/units";

/** File descriptors that are kept for the database, the pages, mail and files. */
const RESERVED_FILES = 128;

interface Options {
  /** How many connections may be open. */
  readonly total: number;
  /** How many of them one network address may have. */
  readonly perAddress: number;
  /** Proxies' addresses are those of all clients, so only `total` limits them. */
  readonly proxies: TrustedProxies;
  readonly log: Logger;
}

/** Closes connections above the limits at once. Logs this at most once a minute. */
export function limitConnections(server: Server, { total, perAddress, proxies, log }: Options): void {
  let refused = 0;
  let reportedAtMs = -Infinity;
  const refuse = (reason: string) => {
    refused++;
    if (performance.now() - reportedAtMs < MINUTE_MS) return;
    reportedAtMs = performance.now();
    log.warn({ reason, refused }, "connections refused so far");
  };
  server.maxConnections = total;
  server.on("drop", () => refuse("SPOTLINE_MAX_CONNECTIONS"));
  // Without a free file descriptor no connection can be accepted. Without a listener the error would end the process.
  server.once("listening", () => server.on("error", ({ message }) => refuse(message)));
  const open = new Map<string, number>();
  const counted = new WeakSet<Socket>();
  server.on("connection", (socket) => {
    // One that asked for an upgrade, which it did not get, comes again; see upgrades.ts.
    if (counted.has(socket)) return;
    counted.add(socket);
    if (isTrustedProxy(socket.remoteAddress, proxies)) return;
    const network = findNetwork(socket.remoteAddress ?? null);
    const count = (open.get(network) ?? 0) + 1;
    if (count > perAddress) {
      refuse("SPOTLINE_MAX_CONNECTIONS_PER_ADDRESS");
      socket.destroy();
      return;
    }
    open.set(network, count);
    socket.once("close", () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  });
}

/**
 * How many connections the process can have without running out of file descriptors. A request for a page needs two:
 * one to the client and one to the pages. Infinity where the system does not tell.
 */
export function countAvailableConnections(limits = readLimits()): number {
  const files = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return files === undefined ? Infinity : Math.max(1, Math.floor((Number(files) - RESERVED_FILES) / 2));
}

function readLimits(): string {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return "";
  }
}

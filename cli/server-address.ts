import type { Config } from "@/lib/platform/config";

/** Returns the base URL of the configured server, as seen from its own machine. */
export function getServerAddress({ host, port }: Pick<Config, "host" | "port">): string {
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

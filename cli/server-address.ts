import type { Config } from "@/lib/platform/config";

/** Where the server of these settings answers, from the machine it runs on. */
export function serverAddress({ host, port }: Pick<Config, "host" | "port">): string {
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";

/**
 * Serves the scripts and styles of the pages as the build has compressed them with Brotli, a seventh smaller than by
 * gzip and without compressing them for each visitor. Browsers accept Brotli over TLS and from their own machine.
 */

const PREFIX = "/_next/static/";
const SUFFIX = ".br";
const TYPES: Readonly<Record<string, string>> = {
  js: "application/javascript; charset=UTF-8",
  css: "text/css; charset=UTF-8",
};

/** Returns a function that answers a request for a compressed file; false if Next has to answer it. */
export function createStaticFiles(folder: string) {
  const names = new Set(listCompressed(folder));
  const loaded = new Map<string, Buffer>();

  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const { method, url = "", headers } = request;
    if ((method !== "GET" && method !== "HEAD") || !url.startsWith(PREFIX)) return false;
    const name = url.slice(PREFIX.length).split("?", 1)[0] ?? "";
    if (!names.has(name) || !acceptsBrotli(headers["accept-encoding"])) return false;
    const body = loaded.get(name) ?? readFileSync(join(folder, name + SUFFIX));
    loaded.set(name, body);
    response.writeHead(200, {
      "Content-Type": TYPES[name.slice(name.lastIndexOf(".") + 1)],
      "Content-Encoding": "br",
      "Content-Length": body.length,
      // The name changes with the content.
      "Cache-Control": "public, max-age=31536000, immutable",
      Vary: "Accept-Encoding",
      "X-Content-Type-Options": "nosniff",
    });
    response.end(method === "HEAD" ? undefined : body);
    return true;
  };
}

/** The names of the files that have a compressed copy; none where the build has made none. */
function listCompressed(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(SUFFIX))
      .map((name) => name.slice(0, -SUFFIX.length).replaceAll("\\", "/"));
  } catch {
    return [];
  }
}

/** Whether `Accept-Encoding` names Brotli, with a quality above 0. */
function acceptsBrotli(header: string | string[] | undefined): boolean {
  const codings = String(header ?? "").split(",");
  return codings.some((coding) => /^\s*br\s*(;\s*q\s*=\s*(1|0?\.0*[1-9]))?[\s\d.]*$/i.test(coding));
}

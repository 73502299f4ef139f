import type { IncomingMessage } from "node:http";

/** What a server does with a request before it is passed on; or the fault for which it is refused, as a sentence. */
type Reading = "path" | "server options" | { readonly fault: string };

const WHOLE_URL = /^https?:\/\/([^/?#@\\\s]+)(\/[^]*|\?[^]*)?$/i;

/**
 * Reads the head of a request as RFC 9112 has it. Programs send whole URLs to what they take for a proxy: the request gets
 * the path, and the host of the URL in place of its own. A request of HTTP/1.1 names one host: of two, readers in between
 * may take different ones.
 */
export function readHead(request: IncomingMessage): Reading {
  const { url = "", rawHeaders } = request;
  let hosts = 0;
  let hostAt = -1;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length !== 4 || name.toLowerCase() !== "host") continue;
    hosts++;
    hostAt = index + 1;
  }
  if (hosts > 1) return { fault: "The request has more than one Host header." };
  if (hosts === 0 && request.httpVersion === "1.1") return { fault: "The request has no Host header." };
  if (url.startsWith("/")) return "path";
  if (url === "*" && request.method === "OPTIONS") return "server options";
  const [, host, target = "/"] = WHOLE_URL.exec(url) ?? [];
  if (host === undefined) return { fault: "The request target must be a path or a URL." };
  request.url = target.startsWith("/") ? target : `/${target}`;
  request.headers.host = host;
  if (hostAt !== -1) rawHeaders[hostAt] = host;
  return "path";
}

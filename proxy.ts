import { type NextRequest, NextResponse } from "next/server";
import { isFromOwnOrigin } from "@/features/session/own-origin";

/**
 * What every page and action has in common: nothing is changed for another site's page, and no page runs what is not
 * ours. Next reads the nonce from the request's own policy and puts it on every script and style it writes.
 */
export function proxy(request: NextRequest): NextResponse {
  const response = isForeignPost(request) ? refusal() : pageWithPolicy(request);
  for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value);
  // Only an installation that says it is reached over TLS may bind browsers to it.
  if (process.env.NEXTAUTH_URL?.startsWith("https:")) {
    response.headers.set("Strict-Transport-Security", "max-age=31536000");
  }
  return response;
}

/** Programs push to /ingest with a token of their own and know no origin; whatever else is not a read comes from a page. */
function isForeignPost({ method, nextUrl, headers }: NextRequest): boolean {
  if (method === "GET" || method === "HEAD" || nextUrl.pathname.startsWith("/ingest/")) return false;
  return !isFromOwnOrigin(headers, process.env.SPOTLINE_URL);
}

function refusal(): NextResponse {
  const headers = {
    "Content-Type": "text/plain",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  };
  return new NextResponse("This form did not come from a page of this site.\n", { status: 403, headers });
}

function pageWithPolicy(request: NextRequest): NextResponse {
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(18))).toString("base64");
  const policy = contentSecurityPolicy(nonce);
  const headers = new Headers(request.headers);
  headers.set("Content-Security-Policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("Content-Security-Policy", policy);
  return response;
}

/** Pages and actions: /v1 sends headers of its own, and built files run nothing by themselves. */
export const config = { matcher: "/((?!v1/|v1$|_next/static/|health$|ready$).*)" };

const HEADERS = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "Referrer-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
  // For browsers that do not know frame-ancestors.
  "X-Frame-Options": "DENY",
};

function contentSecurityPolicy(nonce: string): string {
  // While developing, React evaluates code to tell where an error came from, and changed code comes over a socket.
  const developing = process.env.NODE_ENV === "development";
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${developing ? " 'unsafe-eval'" : ""}`,
    `style-src 'self' ${developing ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    // Charts place their parts with style attributes, which can load nothing.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${developing ? " ws:" : ""}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

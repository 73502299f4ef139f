import { type NextRequest, NextResponse } from "next/server";
import { findOriginHost, isFromOwnOrigin } from "@/features/session/own-origin";
import { isKnownHost } from "@/lib/platform/known-host";

/**
 * Protects every page and action: refuses other host names and changes that another site's page requests, and sets a
 * policy with which pages run only their own code. Next reads the nonce from the policy of the request and puts it on
 * its scripts and styles.
 */
export function proxy(request: NextRequest): NextResponse {
  const response = createResponse(request);
  for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value);
  // Only if the configured URL uses TLS, because browsers then refuse plain HTTP for a year.
  if (process.env.NEXTAUTH_URL?.startsWith("https:")) {
    response.headers.set("Strict-Transport-Security", "max-age=31536000");
  }
  return response;
}

function createResponse(request: NextRequest): NextResponse {
  const host = request.headers.get("host");
  if (!isForProgram(request) && !isKnownHost(host, process.env.SPOTLINE_URL)) {
    return createRefusal(421, "This site is not known by this host name. Set SPOTLINE_URL to the address in use.");
  }
  return isForeignPost(request)
    ? createRefusal(
        403,
        "This form did not come from a page of this site. Set SPOTLINE_URL to the address in use, with its port.",
      )
    : createPageResponse(request);
}

/** Programs that push to /ingest use a token, send no origin, and know the server by any name. */
function isForProgram({ nextUrl }: NextRequest): boolean {
  return nextUrl.pathname.startsWith("/ingest/");
}

/** Whether a request is a change from another origin. */
function isForeignPost(request: NextRequest): boolean {
  const { method, headers } = request;
  if (method === "GET" || method === "HEAD" || isForProgram(request)) return false;
  return !isFromOwnOrigin(headers, process.env.SPOTLINE_URL);
}

function createRefusal(status: number, text: string): NextResponse {
  const headers = {
    "Content-Type": "text/plain",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  };
  return new NextResponse(`${text}\n`, { status, headers });
}

function createPageResponse(request: NextRequest): NextResponse {
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(18))).toString("base64");
  const policy = formatPolicy(nonce);
  const headers = new Headers(request.headers);
  headers.set("Content-Security-Policy", policy);
  const origin = findOriginHost(request.headers);
  // Next compares the origin of a form with the host again, which a proxy may pass on without its port or under its own
  // name. The origin of a change was checked above.
  if (origin !== null && request.method === "POST" && !isForProgram(request)) headers.set("x-forwarded-host", origin);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("Content-Security-Policy", policy);
  return response;
}

/** Matches pages and actions. /v1, /csv and /udf send their own headers, and built files need none. */
export const config = { matcher: "/((?!v1/|v1$|csv/|udf/|_next/static/|health$|ready$).*)" };

const HEADERS = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "Referrer-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
  // For browsers without frame-ancestors.
  "X-Frame-Options": "DENY",
};

function formatPolicy(nonce: string): string {
  // In development, React evaluates code to locate errors, and changed code arrives over a WebSocket.
  const developing = process.env.NODE_ENV === "development";
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${developing ? " 'unsafe-eval'" : ""}`,
    `style-src 'self' ${developing ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    // Charts position their parts with style attributes, which cannot load anything.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${developing ? " ws:" : ""}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

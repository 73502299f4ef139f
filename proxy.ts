import { type NextRequest, NextResponse } from "next/server";
import { isFromOwnOrigin } from "@/features/session/own-origin";

/**
 * Protects every page and action: refuses changes that another site's page requests, and sets a policy with which pages
 * run only their own code. Next reads the nonce from the policy of the request and puts it on its scripts and styles.
 */
export function proxy(request: NextRequest): NextResponse {
  const response = isForeignPost(request) ? createRefusal() : createPageResponse(request);
  for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value);
  // Only if the configured URL uses TLS, because browsers then refuse plain HTTP for a year.
  if (process.env.NEXTAUTH_URL?.startsWith("https:")) {
    response.headers.set("Strict-Transport-Security", "max-age=31536000");
  }
  return response;
}

/** Whether a request is a change from another origin. Programs that push to /ingest use a token and send no origin. */
function isForeignPost({ method, nextUrl, headers }: NextRequest): boolean {
  if (method === "GET" || method === "HEAD" || nextUrl.pathname.startsWith("/ingest/")) return false;
  return !isFromOwnOrigin(headers, process.env.SPOTLINE_URL);
}

function createRefusal(): NextResponse {
  const headers = {
    "Content-Type": "text/plain",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  };
  return new NextResponse("This form did not come from a page of this site.\n", { status: 403, headers });
}

function createPageResponse(request: NextRequest): NextResponse {
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(18))).toString("base64");
  const policy = formatPolicy(nonce);
  const headers = new Headers(request.headers);
  headers.set("Content-Security-Policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("Content-Security-Policy", policy);
  return response;
}

/** Matches pages and actions. /v1 sends its own headers, and built files need none. */
export const config = { matcher: "/((?!v1/|v1$|_next/static/|health$|ready$).*)" };

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
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

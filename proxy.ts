import { NextResponse, type NextRequest } from "next/server";

/**
 * The headers that keep a page from running what is not ours. Next reads the nonce from the request's own policy and
 * puts it on every script and style it writes.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(18))).toString("base64");
  const policy = contentSecurityPolicy(nonce);
  const headers = new Headers(request.headers);
  headers.set("Content-Security-Policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("Content-Security-Policy", policy);
  for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value);
  // Only an installation that says it is reached over TLS may bind browsers to it.
  if (process.env.NEXTAUTH_URL?.startsWith("https:")) {
    response.headers.set("Strict-Transport-Security", "max-age=31536000");
  }
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

import { createHash } from "node:crypto";

/**
 * The service worker. It shows what is pushed to it, opens the page of a notification that is clicked, and answers a navigation with a page of its
 * own while the network is down. It leaves every other request alone and stores nothing, so no old price can be shown; a new worker replaces it at once.
 */

const STYLE = `:root{color-scheme:light dark}
body{margin:0;min-height:100dvh;display:grid;place-items:center;font:15px/1.5 system-ui,sans-serif;
background:light-dark(#f5f4ef,#0d0e0e);color:light-dark(#191a17,#ecebe5)}
main{max-width:26rem;padding:2rem;text-align:center}
svg{color:light-dark(#87887d,#666b67)}
h1{font-size:1.125rem;margin:1.25rem 0 .25rem}
p{margin:0;color:light-dark(#51544b,#a8aba4)}
a{display:inline-block;margin-top:1.25rem;padding:.5rem .875rem;border:1px solid light-dark(#87887d,#666b67);
border-radius:5px;color:inherit;text-decoration:none}
a:focus-visible{outline:2px solid #e9b04b;outline-offset:2px}`;

/** Every fifteen seconds the browser tries the page again. */
const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Offline · Spotline</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta http-equiv="refresh" content="15">
<style>${STYLE}</style></head><body><main>
<svg viewBox="0 0 96 40" width="96" height="40" fill="none" aria-hidden="true"><path d="M4 8h88M4 32h88" stroke="currentColor" stroke-width="1.5" stroke-dasharray="3 5" stroke-linecap="round"/><circle cx="62" cy="20" r="5" stroke="#e9b04b" stroke-width="1.5"/></svg>
<h1>Spotline cannot be reached</h1>
<p>The network or the server is down. No prices are shown, because they would be old. This page tries again every 15 seconds.</p>
<a href="">Try again</a></main></body></html>`;

const HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-store",
  "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
};

export const WORKER_SOURCE = `const PAGE = ${JSON.stringify(PAGE)};
const HEADERS = ${JSON.stringify(HEADERS)};
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => {
  // The browser requests the page while the worker starts.
  const preload = registration.navigationPreload ? registration.navigationPreload.enable() : undefined;
  event.waitUntil(Promise.all([preload, clients.claim()]));
});
async function load(event) {
  try {
    return (await event.preloadResponse) || (await fetch(event.request));
  } catch {
    return new Response(PAGE, { status: 503, headers: HEADERS });
  }
}
addEventListener("fetch", (event) => {
  if (event.request.mode === "navigate" && event.request.method === "GET") event.respondWith(load(event));
});
async function open(href) {
  const [tab] = await clients.matchAll({ type: "window" });
  if (tab === undefined) return clients.openWindow(href);
  await tab.focus();
  return tab.navigate(href);
}
addEventListener("push", (event) => {
  // A browser may withdraw the permission of a site that shows nothing.
  let shown = { title: "Spotline", body: "An alert has fired.", tag: "spotline-push", href: "/alerts" };
  try {
    shown = event.data.json();
  } catch {}
  const { title, body, tag, href } = shown;
  event.waitUntil(registration.showNotification(title, { body, tag, icon: "/icon-192.png", data: { href } }));
});
addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { href } = event.notification.data || {};
  if (href) event.waitUntil(open(href));
});
`;

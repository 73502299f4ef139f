import { WORKER_SOURCE } from "@/components/shell/worker-source";

/** The service worker, which browsers compare with theirs at every page. */
export function GET(): Response {
  const headers = { "Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "no-cache" };
  return new Response(WORKER_SOURCE, { headers });
}

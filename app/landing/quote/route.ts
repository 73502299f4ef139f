import { readLandingQuote } from "@/features/landing/data";
import { refuseStale } from "@/features/session/data-route";
import { getRuntime } from "@/lib/runtime";

/** The quote of the first page, for anyone. One symbol, at most one price a second. */
export async function GET(): Promise<Response> {
  const runtime = await getRuntime();
  if (runtime.isStale()) return refuseStale();
  const quote = readLandingQuote(runtime);
  if (quote === null) return Response.json({ error: "No quote is shown" }, { status: 404 });
  return Response.json(quote, { headers: { "Cache-Control": "public, max-age=1" } });
}

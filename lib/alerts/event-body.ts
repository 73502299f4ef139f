/** What a webhook receives, as Standard Webhooks suggests: a type, a time and the data. */
export function formatEventBody(
  type: "alert.fired" | "alert.test",
  atMs: number,
  data: Readonly<Record<string, unknown>>,
): string {
  return JSON.stringify({ type, timestamp: new Date(atMs).toISOString(), data });
}

import type { Send } from "@/e2e/api/servers";

const DEADLINE_MS = 90_000;

/** Waits until a symbol has enough bars for every indicator. A new server back-fills its history after the start. */
export async function waitForBars(send: Send, symbol: string, timeframe: string): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    const reply = await send(`/v1/indicator?symbol=${symbol}&indicator=SMA_200&timeframe=${timeframe}`);
    if (reply.status === 200) return;
    if (Date.now() > deadline) throw new Error(`No bars within ${DEADLINE_MS} ms: ${reply.text}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

import { Agent, get } from "node:http";

/** The calls of one span of time. */
export interface CallCounts {
  readonly answered: number;
  /** Answers of another status than 200, and broken connections. */
  readonly failed: number;
  /** Calls that were due and not sent, because the server or this process was behind. */
  readonly skipped: number;
  /** The 99th percentile of the answers, in milliseconds; NaN without an answer. */
  readonly p99Ms: number;
}

const ROUND_MS = 20;
const CONNECTIONS = 32;
const MOST_OPEN = 500;
/** After a longer pause the calls continue at their usual rate instead of all at once. */
const MOST_DUE_MS = 500;

/** One call in ten is not for a quote. */
const QUOTES = ["EURUSD", "GBPUSD", "USDJPY", "XAUUSD", "BTCUSD", "AAPL"].map(
  (symbol) => `/v1/quote?symbol=${symbol}&include_sources=true`,
);
const OTHERS = [
  "/v1/ohlc?symbol=GBPUSD&timeframe=M5&limit=500",
  "/v1/spread?symbol=USDJPY&period=24h",
  "/v1/sessions",
  "/v1/heatmap?timeframe=H1",
  "/v1/symbols",
  "/v1/indicator?symbol=EURUSD&timeframe=H1&indicator=RSI_14",
  "/v1/calendar",
  "/health",
];

/** Sends calls at a steady rate over connections that stay open, whether earlier ones are answered or not. */
export class SteadyCalls {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  private readonly timer: NodeJS.Timeout;
  private lastMs = performance.now();
  private due = 0;
  private sent = 0;
  private open = 0;
  private times: number[] = [];
  private failed = 0;
  private skipped = 0;
  private failures = new Map<string, number>();

  constructor(
    private readonly url: string,
    private readonly secret: string,
    private readonly perSecond: number,
  ) {
    this.timer = setInterval(() => this.sendDue(), ROUND_MS);
  }

  /** The counts since the last time this was called. */
  take(): CallCounts {
    const { times, failed, skipped } = this;
    [this.times, this.failed, this.skipped] = [[], 0, 0];
    const p99Ms = times.sort((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? NaN;
    return { answered: times.length, failed, skipped, p99Ms };
  }

  /** How often each kind of failure occurred, such as "503 /v1/quote". */
  listFailures(): ReadonlyMap<string, number> {
    return this.failures;
  }

  stop(): void {
    clearInterval(this.timer);
    this.agent.destroy();
  }

  private sendDue(): void {
    const nowMs = performance.now();
    const elapsedMs = nowMs - this.lastMs;
    this.lastMs = nowMs;
    this.skipped += Math.round((Math.max(0, elapsedMs - MOST_DUE_MS) / 1_000) * this.perSecond);
    this.due += (Math.min(elapsedMs, MOST_DUE_MS) / 1_000) * this.perSecond;
    for (; this.due >= 1; this.due--) {
      if (this.open >= MOST_OPEN) this.skipped++;
      else this.send();
    }
  }

  private send(): void {
    const nth = this.sent++;
    const path = nth % 10 === 0 ? OTHERS[(nth / 10) % OTHERS.length] : QUOTES[nth % QUOTES.length];
    const startMs = performance.now();
    this.open++;
    const end = (failure: string | null) => {
      this.open--;
      if (failure === null) return void this.times.push(performance.now() - startMs);
      this.failed++;
      const name = `${failure} ${path?.split("?")[0]}`;
      this.failures.set(name, (this.failures.get(name) ?? 0) + 1);
    };
    const request = get(this.url + path, { agent: this.agent, headers: { "X-API-Key": this.secret } }, (answer) => {
      answer.resume();
      answer.once("close", () => end(answer.statusCode === 200 && answer.complete ? null : String(answer.statusCode)));
    });
    let hasAnswer = false;
    request.once("response", () => (hasAnswer = true));
    request.once("error", (error: NodeJS.ErrnoException) => {
      if (!hasAnswer) end(error.code ?? error.message);
    });
  }
}

import { formatBytes, formatCount } from "@/lib/text/text";
import { formatTimeLeft } from "@/lib/time/duration";

/** The progress of a long command on standard error: one line that is written over on a terminal, else plain lines. */
export interface Progress {
  /** `done` and `total` in bytes. */
  update(label: string, rows: number, done: number, total: number): void;
  /** Removes the line from a terminal. */
  clear(): void;
}

interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const TERMINAL_MS = 200;
const LINES_MS = 10_000;
const BAR_WIDTH = 24;

export function createProgress(terminal: Terminal, now: () => number): Progress {
  const isTerminal = terminal.isTTY === true;
  const startedAtMs = now();
  let shownAtMs = startedAtMs;
  let firstRows: number | null = null;
  return {
    update(label, rows, done, total) {
      firstRows ??= rows;
      const nowMs = now();
      if (nowMs - shownAtMs < (isTerminal ? TERMINAL_MS : LINES_MS)) return;
      shownAtMs = nowMs;
      const seconds = Math.max(0.001, (nowMs - startedAtMs) / 1_000);
      const share = total === 0 ? 1 : Math.min(1, done / total);
      const rate = `${formatCount(Math.round((rows - firstRows) / seconds))} rows/s`;
      const left = share === 0 ? "" : ` · ${formatTimeLeft(((1 - share) / share) * seconds * 1_000)} left`;
      const text = `${Math.floor(share * 100)} % of ${formatBytes(total)} · ${formatCount(rows)} rows · ${rate}${left} · ${label}`;
      if (!isTerminal) return void terminal.write(`${text}\n`);
      const filled = Math.round(share * BAR_WIDTH);
      const line = `[${"#".repeat(filled)}${".".repeat(BAR_WIDTH - filled)}] ${text}`;
      terminal.write(`\r${line.slice(0, (terminal.columns ?? 100) - 1)}\x1b[K`);
    },
    clear() {
      if (isTerminal) terminal.write("\r\x1b[K");
    },
  };
}

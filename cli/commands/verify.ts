import { join, resolve } from "node:path";
import { type Command, formatTable, splitList, UsageError, withDatabase } from "@/cli/command";
import { readAuditHashes } from "@/lib/access/audit/audit-hashes";
import { loadAuditKeys } from "@/lib/access/audit/audit-keys";
import { createAuditLog } from "@/lib/access/audit/audit-log";
import { readRecordedHeads } from "@/lib/access/audit/history-heads";
import { readCopiedLines } from "@/lib/history/proof/day-heads";
import { type HeadCopies, type HistoryVerdict, verifyHistory } from "@/lib/history/proof/verify-history";
import { getRetentionStart } from "@/lib/history/retention";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import { loadConfig } from "@/lib/platform/config";
import { HISTORY_HEADS_FILE } from "@/lib/platform/data-folder";
import { formatCount } from "@/lib/text/text";
import { parseMoment } from "@/lib/time/iso-time";

/** The operator's command that compares the recorded history with its hashes. */
export const verifyHistoryCommand: Command = {
  name: "verify history",
  summary: "Find changed, missing and added seconds of the history, and changed bars; a server may be running",
  options: {
    symbol: { value: "SYMBOLS", help: "only these symbols, separated by commas" },
    from: { value: "TIME", help: "only from this UTC day on, like 2026-01-31" },
    to: { value: "TIME", help: "only days before this time" },
    heads: { value: "FILE", help: "a copy of history-heads that was kept elsewhere" },
  },
  async run(values) {
    const [from, to] = [readTime("from", values.optional("from")), readTime("to", values.optional("to"))];
    if (from !== null && to !== null && to <= from) throw new UsageError("--to must be later than --from.");
    const given = values.optional("heads");
    const config = loadConfig(process.env);
    const own = join(config.dataDir, HISTORY_HEADS_FILE);
    const files = [own, ...(given === undefined ? [] : [resolve(process.env.INIT_CWD ?? "", given)])];
    return withDatabase(async (database) => {
      const named = values.optional("symbol");
      const symbols = named === undefined ? null : splitList(named).map(toSymbol);
      const copies: HeadCopies[] = files.map((file) => ({ name: `the file ${file}`, lines: readCopiedLines(file) }));
      copies.push({ name: "the audit log", lines: readRecordedHeads(database) });
      const progress = createProgress();
      const verdict = await verifyHistory({
        pool: database.pool,
        symbols,
        fromMs: from ?? -Infinity,
        toMs: to ?? Infinity,
        keptFromMs: getRetentionStart(config.keepDays.ticks, Date.now()),
        copies,
        onProgress: progress.update,
      });
      progress.clear();
      const keys = await loadAuditKeys(config);
      const audit = await createAuditLog(database).verify({ keys, copied: readAuditHashes(config.dataDir) });
      const { findings, found, hours, ticks, bars, unhashed, removed, lines, copied, causes } = verdict;
      const ok = found === 0 && audit.problem === null;
      return {
        json: {
          ok,
          ...{
            found,
            findings,
            audit_problem: audit.problem,
            hours,
            ticks,
            bars,
            unhashed,
            removed,
            lines,
            copied,
            causes,
          },
        },
        text: formatVerdict(verdict, audit.problem, own),
        failed: !ok,
      };
    });
  },
};

function readTime(option: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const timeMs = parseMoment(text);
  if (timeMs === null) throw new UsageError(`--${option} must be a time like 2026-01-31 or 2026-01-31T14:30Z.`);
  return timeMs;
}

/** The symbol of a spelling. One whose instrument was removed still has its history. */
function toSymbol(spelling: string): string {
  const read = catalogResolver.resolve(spelling);
  return read.kind === "found" ? read.instrument.symbol : spelling;
}

function formatVerdict(verdict: HistoryVerdict, auditProblem: string | null, file: string): string {
  const { findings, found, hours, ticks, bars, unhashed, removed, lines, copied, causes } = verdict;
  const text = findings.map(({ symbol, at, message }) =>
    [symbol, at, message].filter((each) => each !== null).join("  "),
  );
  if (found > findings.length) text.push(`and ${formatCount(found - findings.length)} more`);
  if (auditProblem !== null) text.push(`The audit log: ${auditProblem}`);
  if (text.length === 0) text.push("The history is as it was written.");
  text.push(
    `${formatCount(hours)} hours with ${formatCount(ticks)} seconds were compared with their hashes, and ${formatCount(bars)} bars with these seconds.`,
  );
  const rows = causes.map(({ cause: { kind, ...facts }, hours: count }) => [
    `  ${formatCount(count)}`,
    String(kind),
    Object.entries(facts)
      .flatMap(([name, value]) => (value === null ? [] : `${name} ${value}`))
      .join(", "),
  ]);
  if (rows.length > 0) text.push(formatTable(rows.slice(0, MAX_CAUSES)));
  if (rows.length > MAX_CAUSES) text.push(`  and ${formatCount(rows.length - MAX_CAUSES)} other origins`);
  if (unhashed > 0)
    text.push(`${formatCount(unhashed)} hours of an earlier version have no hash yet: the server hashes them.`);
  if (removed > 0) text.push(`${formatCount(removed)} hours were removed by retention.`);
  text.push(
    copied === 0
      ? `There is no copy of the heads, such as ${file}: hours that were changed together with their hashes cannot be noticed.`
      : `Heads of days: ${formatCount(lines)}, compared with ${formatCount(copied)} copies.`,
  );
  return text.join("\n");
}

const MAX_CAUSES = 30;
const TERMINAL_MS = 200;

/** One line on a terminal that is written over. */
function createProgress() {
  const { stderr } = process;
  let shownAtMs = performance.now();
  return {
    update({ day, hours }: { readonly day: string; readonly hours: number }) {
      if (!stderr.isTTY || performance.now() - shownAtMs < TERMINAL_MS) return;
      shownAtMs = performance.now();
      stderr.write(`\r${day} · ${formatCount(hours)} hours\x1b[K`);
    },
    clear() {
      if (stderr.isTTY) stderr.write("\r\x1b[K");
    },
  };
}

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { failJob, listWaitingJobs, removeExpiredJobs } from "@/lib/export/export-jobs";
import type { ExportStore } from "@/lib/export/export-store";
import { failLost, failRun, listFinished, listWaiting, removeAbandoned } from "@/lib/history/import/import-runs";
import { listUploads, removeUpload } from "@/lib/history/import/import-uploads";
import type { Database } from "@/lib/platform/database/database";
import type { Logger } from "@/lib/platform/log/log";
import { repeat } from "@/lib/platform/timing/repeat";
import { SECOND_MS } from "@/lib/time/units";

/**
 * Starts a process for each import and each export that waits, one of either kind at a time. What was interrupted waits
 * again. An import is worked on where its files are; undoing and exporting need none.
 */

interface Work {
  /** "import", which is also the name of its process: "import-process". */
  readonly name: string;
  /** What this machine can work on now; null if there is nothing. */
  findNext(): Promise<string | null>;
  fail(id: string, error: string): Promise<void>;
  /** Removes what is not needed any more. */
  clean(): Promise<void>;
}

const POLL_MS = SECOND_MS / 2;
const CLEAN_EVERY = 60;
const STOP_MS = 3 * SECOND_MS;
/** Work whose process ends this often without a word would end so again. */
const MOST_CRASHES = 3;

export interface JobRunner {
  stop(): Promise<void>;
}

interface RunnerOptions {
  readonly database: Pick<Database, "pool" | "kind">;
  readonly dataDir: string;
  readonly exportStore: ExportStore;
  readonly log: Logger;
}

export function startJobRunners({ database, dataDir, exportStore, log }: RunnerOptions): JobRunner {
  const { pool } = database;
  const runners = [
    startRunner(log, {
      name: "import",
      async findNext() {
        const waiting = await listWaiting(pool);
        const uploads = waiting.length === 0 ? new Set() : await listUploads(dataDir);
        return waiting.find(({ id, state }) => state === "undoing" || uploads.has(id))?.id ?? null;
      },
      fail: (id, error) => failRun(pool, id, error),
      clean: () => cleanImports(database, dataDir),
    }),
    startRunner(log, {
      name: "export",
      findNext: async () => (await listWaitingJobs(pool))[0]?.id ?? null,
      fail: (id, error) => failJob(pool, id, null, error),
      async clean() {
        for (const id of await removeExpiredJobs(pool, await exportStore.listJobs())) await exportStore.removeJob(id);
        await exportStore.removeOld(Date.now());
      },
    }),
  ];
  return { stop: async () => void (await Promise.all(runners.map((runner) => runner.stop()))) };
}

function startRunner(log: Logger, { name, findNext, fail, clean }: Work): JobRunner {
  let child: ChildProcess | null = null;
  let isStopping = false;
  let turns = 0;
  const crashes = new Map<string, number>();

  async function work(): Promise<void> {
    if (child !== null) return;
    if (turns++ % CLEAN_EVERY === 0) await clean();
    const next = await findNext();
    if (next !== null && !isStopping) run(next);
  }

  function run(id: string): void {
    const started = fork(findEntry(name), [id], { stdio: ["ignore", "ignore", "pipe", "ipc"] });
    let errors = "";
    started.stderr?.on("data", (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-2_000)));
    child = started;
    const end = async (reason: string | null) => {
      child = null;
      turns = 0;
      if (reason === null || isStopping) return;
      log.error({ [name]: id, reason, errors }, `${name} process failed`);
      const count = (crashes.get(id) ?? 0) + 1;
      crashes.set(id, count);
      if (count < MOST_CRASHES) return;
      crashes.delete(id);
      await fail(id, `Its process ended unexpectedly ${MOST_CRASHES} times (${reason}). The log has more.`);
    };
    started.once("error", (error) => void end(error.message).catch(() => {}));
    started.once("exit", (code, signal) => void end(code === 0 ? null : (signal ?? `code ${code}`)).catch(() => {}));
  }

  const repetition = repeat(work, {
    pauseMs: POLL_MS,
    onFailure: (error) => log.warn({ err: error }, `${name}s cannot be started`),
    onRecovery: () => log.info(`${name}s can be started again`),
  });
  repetition.start();
  return {
    async stop(): Promise<void> {
      isStopping = true;
      repetition.stop();
      if (child === null) return;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      const running = child;
      const timer = setTimeout(() => running.kill("SIGKILL"), STOP_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** Removes the files of imports that need them no more, and uploads that were abandoned. Ends imports without files. */
async function cleanImports({ pool, kind }: RunnerOptions["database"], dataDir: string): Promise<void> {
  const uploads = [...(await listUploads(dataDir))];
  await failLost(pool, uploads, kind === "embedded");
  await removeAbandoned(pool);
  for (const id of await listFinished(pool, uploads)) await removeUpload(dataDir, id);
}

/** The module as the build or the project has it. */
function findEntry(name: string): string {
  return process.env.NODE_ENV === "production" ? `dist/${name}-process.mjs` : `lib/runtime/${name}-process.ts`;
}

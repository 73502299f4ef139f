import { fork } from "node:child_process";
import { rmSync } from "node:fs";
import { getLocalSocketPath } from "@/lib/platform/local-socket";
import { createTemporaryFolder } from "@/lib/platform/temporary-folder";
import { type ReaderOptions, ReaderProcess } from "@/lib/readers/reader-process";

interface Options extends Pick<ReaderOptions, "writer" | "onSnapshot" | "onListening" | "log" | "aliveEveryMs"> {
  /** The module to run. */
  readonly entry: string;
}

const DRAIN_MS = 2_000;

/** Runs the process that renders the pages, and restarts it if it ends or hangs. */
export class PagesProcess {
  /** The local socket on which the process answers HTTP. */
  readonly socketPath: string;
  readonly reader: ReaderProcess;
  readonly #folder: string;

  constructor({ entry, ...options }: Options) {
    // Only this user may open the folder, so other users cannot send requests to the pages directly.
    this.#folder = createTemporaryFolder("spotline-pages-");
    this.socketPath = getLocalSocketPath(this.#folder, "http");
    const env = { ...process.env, SPOTLINE_PAGES_SOCKET: this.socketPath };
    this.reader = new ReaderProcess({ ...options, name: "pages process", fork: () => fork(entry, [], { env }) });
  }

  /** Resolves when the pages answer requests. */
  listening(): Promise<void> {
    return this.reader.listening();
  }

  /** Whether the process has started and does not hang. */
  get isAnswering(): boolean {
    return this.reader.isAnswering;
  }

  /** How often the process was started again. */
  get restarts(): number {
    return this.reader.restarts;
  }

  /** Its memory as it last reported it; 0 before. */
  get residentBytes(): number {
    return this.reader.residentBytes;
  }

  /** Lets the process finish its requests, then ends it. */
  async stop(): Promise<void> {
    await this.reader.stop(0, DRAIN_MS);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

import { createWriteStream, fchmodSync, fstatSync, openSync, type WriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { createMask } from "@/lib/feeds/live/mask-secrets";
import type { Logger } from "@/lib/platform/log/log";

/** Records what venues send and are sent, so that an operator's session can be examined and replayed. */
export interface FrameRecorder {
  record(source: string, direction: Direction, data: string | Buffer, atMs: number): void;
  /** Masks these texts too from now on. */
  hide(secrets: readonly string[]): void;
  /** Resolves once everything is written. */
  close(): Promise<void>;
}

/** "opened" begins a new connection; it has no data. */
type Direction = "opened" | "sent" | "received";

/** One line of a recording. Bytes that are not UTF-8 text are base64 in `bytes` instead of `text`. */
export type RecordedFrame = {
  readonly atMs: number;
  readonly source: string;
  readonly direction: Direction;
} & ({ readonly text: string } | { readonly bytes: string });

/** More than this waits to be written only if the disk fails to follow; frames are then left out and counted. */
const MAX_BUFFERED_BYTES = 64 * 1_024 * 1_024;
const OWNER_ONLY = 0o600;

interface Options {
  readonly file: string;
  /** Texts that must not be in the file: tokens, passwords, account names. */
  readonly secrets: readonly string[];
  readonly log: Logger;
}

/** Appends frames to a file, one JSON object a line. A file that cannot be written is logged once and ends nothing else. */
export function createFrameRecorder(options: Options): FrameRecorder {
  return new FileFrameRecorder(options);
}

class FileFrameRecorder implements FrameRecorder {
  readonly #stream: WriteStream | null;
  readonly #file: string;
  readonly #log: Logger;
  readonly #secrets = new Set<string>();
  #mask = createMask([]);
  #omitted = 0;
  #hasFailed = false;

  constructor({ file, secrets, log }: Options) {
    this.#file = file;
    this.#log = log;
    this.hide(secrets);
    this.#stream = this.#open();
  }

  record(source: string, direction: Direction, data: string | Buffer, atMs: number): void {
    if (this.#hasFailed || this.#stream === null) return;
    if (this.#stream.writableLength > MAX_BUFFERED_BYTES) {
      this.#omitted++;
      return;
    }
    this.#stream.write(`${JSON.stringify({ atMs, source, direction, ...this.#read(data) })}\n`);
  }

  hide(secrets: readonly string[]): void {
    for (const secret of secrets) this.#secrets.add(secret);
    this.#mask = createMask(this.#secrets);
  }

  async close(): Promise<void> {
    if (this.#omitted > 0) this.#log.warn({ frames: this.#omitted }, "The disk was too slow to record all frames");
    if (this.#hasFailed || this.#stream === null) return;
    this.#stream.end();
    await finished(this.#stream).catch(() => {});
  }

  #open(): WriteStream | null {
    try {
      const fd = openSync(this.#file, "a", OWNER_ONLY);
      const stats = fstatSync(fd);
      // An earlier file may have been readable by others. A device keeps its mode.
      if (stats.isFile()) fchmodSync(fd, OWNER_ONLY);
      const stream = createWriteStream("", { fd });
      stream.on("error", (error) => this.#fail(error));
      // The last line of an earlier process may have been cut off.
      if (stats.size > 0) stream.write("\n");
      this.#log.warn({ file: this.#file }, "What venues send and are sent is recorded");
      return stream;
    } catch (error) {
      this.#fail(error);
      return null;
    }
  }

  #fail(error: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#log.error({ err: error, file: this.#file }, "Frames are not recorded any more");
  }

  #read(data: string | Buffer): { text: string } | { bytes: string } {
    // Latin-1 has a character for each byte, so that secrets are found and removed in any bytes.
    if (typeof data !== "string" && !isText(data)) {
      return { bytes: Buffer.from(this.#mask(data.toString("latin1")), "latin1").toString("base64") };
    }
    return { text: this.#mask(data.toString()) };
  }
}

const isText = (data: Buffer) => Buffer.from(data.toString()).equals(data);

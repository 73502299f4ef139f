import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

interface StoredPair extends TokenPair {
  /** Of which pair of the settings these are the successors. */
  readonly successorOf: string;
}

/**
 * The tokens that are valid now. A refresh token can be used once, so its successors are stored in a file that only its
 * owner can read. Tokens that the operator sets anew replace what is stored.
 */
export class TokenStore {
  readonly #file: string;
  readonly #origin: string;
  #pair: TokenPair | null = null;
  readonly #given: TokenPair;

  /** Opens nothing yet. */
  constructor(file: string, given: TokenPair) {
    this.#file = file;
    this.#given = given;
    this.#origin = createHash("sha256").update(given.refreshToken).digest("hex");
  }

  get pair(): TokenPair {
    return (this.#pair ??= this.#read());
  }

  /** Uses a pair from now on. Throws if it cannot be stored; it is valid until the process ends nevertheless. */
  save({ accessToken, refreshToken }: TokenPair): void {
    this.#pair = { accessToken, refreshToken };
    const stored: StoredPair = { successorOf: this.#origin, accessToken, refreshToken };
    const draft = `${this.#file}.new`;
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    // The mode counts only for a file that does not exist yet.
    rmSync(draft, { force: true });
    writeFileSync(draft, `${JSON.stringify(stored)}\n`, { mode: 0o600, flush: true });
    renameSync(draft, this.#file);
  }

  #read(): TokenPair {
    try {
      const stored = JSON.parse(readFileSync(this.#file, "utf8")) as Partial<StoredPair>;
      const { successorOf, accessToken, refreshToken } = stored;
      const isWhole = typeof accessToken === "string" && typeof refreshToken === "string";
      return isWhole && successorOf === this.#origin ? { accessToken, refreshToken } : this.#given;
    } catch {
      // There is none yet, or it is damaged. The venue then says whether the given tokens are still valid.
      return this.#given;
    }
  }
}

import type { AccessLogShares } from "@/lib/platform/settings/access-log-setting";

/** Selects the answers that the log has a line for: of each endpoint evenly, and every one that failed on our side. */
export class AccessLog {
  readonly #shares: AccessLogShares;
  /** The lines that are due by endpoint; one is written when a whole one is. */
  readonly #due = new Map<string, number>();

  constructor(shares: AccessLogShares) {
    this.#shares = shares;
  }

  /** @param path the endpoint's path template, of which there are few */
  selects(path: string, status: number): boolean {
    if (status >= 500) return true;
    const { share, paths } = this.#shares;
    const own = paths.get(path) ?? share;
    if (own === 1 || own === 0) return own === 1;
    const due = (this.#due.get(path) ?? 1 - own) + own;
    this.#due.set(path, due < 1 ? due : due - 1);
    return due >= 1;
  }
}

import type { KeyEntry } from "@/lib/access/admission/directory";

/** Counts the open streams of each key. */
export interface StreamSlots {
  /** Counts one more stream; false, counting nothing, if the key has as many as it may have. */
  take(key: KeyEntry): boolean | Promise<boolean>;
  /** Counts one less. */
  free(key: KeyEntry): void;
}

/** Counts by this process alone. */
export function countLocalStreams(): StreamSlots {
  const counts = new Map<KeyEntry, number>();
  return {
    take(key) {
      const count = counts.get(key) ?? 0;
      if (count >= key.entitlements.streams) return false;
      counts.set(key, count + 1);
      return true;
    },
    free(key) {
      const count = (counts.get(key) ?? 1) - 1;
      if (count === 0) counts.delete(key);
      else counts.set(key, count);
    },
  };
}

import type { PoolClient } from "pg";
import type { Database } from "@/lib/platform/database/database";
import { isDatabaseUnavailable } from "@/lib/platform/database/database-errors";

interface Options<Item> {
  readonly open: () => Promise<Database>;
  /** Does one item's work. It is repeated from its beginning when the database was lost meanwhile. */
  readonly work: (client: PoolClient, item: Item) => Promise<void>;
  /** Called once for each interruption. */
  readonly onInterrupted: (error: unknown) => void;
  readonly retryMs: number;
}

/** Works through the items in turn. While the database is unavailable it waits, however long. */
export async function workThrough<Item>(items: readonly Item[], options: Options<Item>): Promise<void> {
  const left = [...items];
  let isInterrupted = false;
  while (left.length > 0) {
    try {
      await workWhileAvailable(left, options, () => (isInterrupted = false));
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      if (!isInterrupted) options.onInterrupted(error);
      isInterrupted = true;
      await new Promise((resolve) => setTimeout(resolve, options.retryMs));
    }
  }
}

/** Removes each item that is done from `left`. */
async function workWhileAvailable<Item>(left: Item[], { open, work }: Options<Item>, onDone: () => void) {
  const database = await open();
  try {
    for (const item of [...left]) {
      const client = await database.pool.connect();
      try {
        await work(client, item);
      } finally {
        client.release();
      }
      left.shift();
      onDone();
    }
  } finally {
    await database.close();
  }
}

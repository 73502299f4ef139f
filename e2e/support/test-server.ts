import { rm } from "node:fs/promises";
import { createDataDir } from "@/e2e/support/prepared-past";
import { HOST_COMMANDS, type Spotline, type SpotlineOptions, startSpotline } from "@/e2e/support/spotline";
import { NO_OPTIMISING } from "@/lib/platform/testing/node-flags";

/**
 * Starts a server for tests: its embedded database has a past, unless the settings name another data folder or database.
 */
export async function startTestServer(options: SpotlineOptions = {}): Promise<Spotline> {
  const { DATABASE_URL, SPOTLINE_DATA_DIR } = options.env ?? {};
  if ((DATABASE_URL ?? SPOTLINE_DATA_DIR ?? options.dataDir) !== undefined) return startSpotline(quick(options));
  const dataDir = await createDataDir();
  const remove = () => rm(dataDir, { recursive: true, force: true });
  try {
    const server = await startSpotline(quick({ ...options, dataDir }));
    return {
      ...server,
      async stop() {
        const code = await server.stop();
        await remove();
        return code;
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

function quick({ command = HOST_COMMANDS.node, ...options }: SpotlineOptions): SpotlineOptions {
  return { ...options, command: [NO_OPTIMISING, ...command] };
}

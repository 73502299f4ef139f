import { createEmbeddedPlace, createPlace } from "@/e2e/support/prepared-past";
import { HOST_COMMANDS, type Spotline, type SpotlineOptions, startSpotline } from "@/e2e/support/spotline";
import { SHORT_RUN_FLAGS } from "@/lib/platform/testing/node-flags";

/**
 * Starts a server for tests. Its database has a past, unless the settings name another data folder or database: the
 * embedded one if that is what a test is about, else one on the PostgreSQL of the run.
 */
export async function startTestServer(
  options: SpotlineOptions = {},
  database: "embedded" | "any" = "any",
): Promise<Spotline> {
  const { DATABASE_URL, SPOTLINE_DATA_DIR } = options.env ?? {};
  if ((DATABASE_URL ?? SPOTLINE_DATA_DIR ?? options.dataDir) !== undefined) return startSpotline(quick(options));
  const { place, remove } = await (database === "any" ? createPlace() : createEmbeddedPlace());
  try {
    const server = await startSpotline(quick({ ...options, env: { ...options.env, ...place } }));
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
  return { ...options, command: [...SHORT_RUN_FLAGS, ...command] };
}

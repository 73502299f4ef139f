import { readFile } from "node:fs/promises";
import { build, type Plugin } from "esbuild";
import { SERVER_BUNDLE } from "@/scripts/server-bundle";

/** The file that sets how often the simulated brokers send ticks. */
const PACE_FILE = /[\\/]lib[\\/]feeds[\\/]simulated[\\/]broker-stream\.ts$/;
const USUAL_PACE = "usualMs / broker.pace";
const FOLDER = "dist/bench/soak";

function quickenFeed(source: string, times: number): string {
  const quickened = source.replace(USUAL_PACE, `usualMs / (broker.pace * ${times})`);
  if (quickened === source) throw new Error(`broker-stream.ts no longer has the words "${USUAL_PACE}"`);
  return quickened;
}

/**
 * Builds the server and the pages' process as `npm run build` does, with simulated brokers that send `times` as many
 * ticks. Returns the path of the server's module. The pages themselves are those of the last `npm run build`.
 */
export async function buildSoakServer(times: number): Promise<string> {
  let isQuickened = false;
  const plugin: Plugin = {
    name: "quick-feed",
    setup({ onLoad }) {
      onLoad({ filter: PACE_FILE }, async ({ path }) => {
        isQuickened = true;
        return { contents: quickenFeed(await readFile(path, "utf8"), times), loader: "ts" };
      });
    },
  };
  const entryPoints = ["server.ts", "pages-server.ts", "api-server.ts"];
  await build({ ...SERVER_BUNDLE, entryPoints, entryNames: "[name]", outdir: FOLDER, plugins: [plugin] });
  if (!isQuickened) throw new Error("the simulated brokers are defined in another file now");
  return `${FOLDER}/server.mjs`;
}

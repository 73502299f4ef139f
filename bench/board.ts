import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measurePage, report } from "@/bench/frames";
import { instruments } from "@/lib/market/catalog";

/**
 * Measures the frames and the memory of a board that stays open: every symbol changes BOARD_CHANGES times a second. A
 * browser without a display also draws 60 frames a second.
 */

const SECONDS = Number(process.env.BENCH_SECONDS ?? 10);
const BOARD_CHANGES = process.env.BOARD_CHANGES ?? "10";
const OPEN_ROW_MS = 10_000;
const HALF_SECOND_MS = 500;

async function main(): Promise<void> {
  const venue = await startVenue();
  try {
    await measurePage({ env: venue.env, path: "/quotes" }, async (page) => {
      await page.getByRole("status").filter({ hasText: "Streaming" }).waitFor();
      // The board keeps five minutes of prices, so the heap of a longer measurement grows in the first half only.
      for (const half of ["first", "second"]) {
        const what = `board, ${BOARD_CHANGES} changes a second of each symbol, ${half} half`;
        await report(page, what, SECONDS * HALF_SECOND_MS);
      }
      await page.locator("[data-row-button]").first().click();
      await page.locator(".recharts-line").first().waitFor();
      await report(page, "board with an open row and its chart", OPEN_ROW_MS);
    });
  } finally {
    venue.stop();
  }
}

/** Starts the venue, and returns the settings of a server whose only source it is. */
async function startVenue() {
  const child = spawn(process.execPath, ["--import", "tsx", "bench/board-venue.ts"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, BOARD_CHANGES },
  });
  const [printed] = (await once(child.stdout, "data")) as [Buffer];
  const folder = mkdtempSync(join(tmpdir(), "spotline-board-"));
  const SPOTLINE_CONFIG = join(folder, "spotline.config.ts");
  const source = {
    kind: "tradermade",
    symbols: instruments.map(({ symbol }) => symbol),
    url: String(printed).trim(),
  };
  writeFileSync(
    SPOTLINE_CONFIG,
    `import { defineSpotline } from "spotline";\nexport default defineSpotline({ sources: [${JSON.stringify(source)}] });`,
  );
  return {
    env: { SPOTLINE_CONFIG, SPOTLINE_TRADERMADE_TOKEN: "a key" },
    stop() {
      child.kill();
      rmSync(folder, { recursive: true });
    },
  };
}

await main();

import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FEW_SYMBOLS, listOthers } from "@/e2e/support/prepared-past";

let written: string | undefined;

/**
 * Settings of a server that simulates few prices, for tests about something else: it computes a quarter less. The simulated
 * feed quotes only what no other offers, so a terminal that never connects offers all other symbols.
 */
export function simulateFewPrices(): Readonly<Record<"SPOTLINE_CONFIG", string>> {
  written ??= writeSettings();
  return { SPOTLINE_CONFIG: written };
}

function writeSettings(): string {
  const file = join(tmpdir(), `spotline-few-prices-${process.pid}.json`);
  writeFileSync(file, JSON.stringify(describeFewPrices()));
  return file;
}

/** What the file of these settings has. */
export function describeFewPrices() {
  const symbols = listOthers(FEW_SYMBOLS);
  return { sources: [{ kind: "mt5", name: "unconnected", symbols }, { kind: "simulated" }] };
}

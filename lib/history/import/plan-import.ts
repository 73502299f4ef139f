import { createHash } from "node:crypto";
import { createReadStream, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { findInstrument, findLeanBroker, findTimeframe, openPriceFile } from "@/lib/feeds/files/open-price-file";
import { FileRefused, type PriceFile } from "@/lib/feeds/files/price-rows";
import { isSourceName } from "@/lib/feeds/replay/folders";
import type { ImportTask } from "@/lib/history/import/import-file";
import { createReport, TimeObserver } from "@/lib/history/import/import-report";
import { checkZone } from "@/lib/history/import/zone-check";
import { catalogResolver } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { parseFileZone } from "@/lib/time/civil-time";

export interface PlanOptions {
  readonly source?: string | undefined;
  readonly zone?: string | undefined;
  readonly symbol?: string | undefined;
}

/** Rows that are read to suggest a zone for a file that needs one. */
const SAMPLE_ROWS = 3_000_000;

/** The files of some paths; those of a folder in the order of their names, without hidden ones. */
export function listImportFiles(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [path];
    const names = readdirSync(path).filter((name) => !name.startsWith("."));
    return listImportFiles(names.sort().map((name) => join(path, name)));
  });
}

/**
 * Recognises a file, and decides its symbol, source and zone. Throws FileRefused, which says what is missing. An empty
 * file of Dukascopy is an hour without ticks.
 */
export async function planImport(path: string, options: PlanOptions): Promise<ImportTask> {
  const file = openPriceFile(path);
  const instrument = chooseInstrument(file, options.symbol);
  const zone = chooseZone(file, instrument, options.zone);
  const source = options.source ?? findLeanSource(file) ?? file.format.replace(" ", "-");
  if (!isSourceName(source))
    throw new FileRefused(path, `the source ${source} must be small letters, digits and dashes`);
  const timeframe = file.kind === "bars" ? findTimeframe(file, zone) : null;
  const digest = await computeDigest(path);
  return {
    file,
    instrument,
    timeframe,
    key: { digest, symbol: instrument.symbol, source, zone, name: basename(path) },
  };
}

function chooseInstrument(file: PriceFile, given: string | undefined): Instrument {
  const named = given ?? file.symbol;
  const found = named === null ? findInstrument(file.path) : catalogResolver.find(named);
  if (found !== null && found !== undefined) return found;
  const reason = named === null ? "its name does not tell one symbol" : `the symbol ${named} is unknown`;
  throw new FileRefused(file.path, `${reason}: give one with --symbol, such as --symbol EURUSD`);
}

function findLeanSource(file: PriceFile): string | null {
  return file.format === "lean" ? findLeanBroker(file.path) : null;
}

function chooseZone(file: PriceFile, instrument: Instrument, given: string | undefined): string {
  if (file.hasFixedZone) return file.zone ?? "UTC";
  const zone = given ?? file.zone;
  if (zone !== null) {
    if (parseFileZone(zone) === null) throw new FileRefused(file.path, `there is no time zone ${zone}`);
    return zone;
  }
  const [suggestion] = suggestZones(file, instrument);
  const hint =
    suggestion === undefined
      ? "most servers have --zone America/New_York+7"
      : `its weekly openings fit --zone ${suggestion}`;
  throw new FileRefused(file.path, `its times are those of the broker's server: give their zone; ${hint}`);
}

function suggestZones(file: PriceFile, instrument: Instrument): readonly string[] {
  const report = createReport();
  const observer = new TimeObserver(report, instrument, 0);
  const { rows } = file.open("UTC");
  for (let read = 0; read < SAMPLE_ROWS && rows.next(); read++) if (rows.fault === null) observer.observe(rows.timeMs);
  const { state, suggestions } = checkZone(report, instrument, "UTC");
  return state === "fits" ? ["UTC"] : suggestions;
}

async function computeDigest(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk as Buffer);
  // Files of Dukascopy without ticks have the same content: their path tells the hour.
  if (/\.bi5$/i.test(path)) hash.update(path.split(/[/\\]/).slice(-5).join("/"));
  return hash.digest("hex");
}

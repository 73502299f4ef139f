import { readdirSync } from "node:fs";
import { join } from "node:path";

/** All recorded days of one symbol at one broker, oldest first. */
export interface LeanSeries {
  /** The broker's folder name: the source of its ticks. */
  readonly source: string;
  /** The symbol's folder name, as it stands. */
  readonly brokerSymbol: string;
  readonly days: readonly LeanDay[];
}

export interface LeanDay {
  readonly path: string;
  /** The civil date of the file's name, in the zone the broker recorded in: "20140502". */
  readonly date: string;
}

const DAY_FILE = /^(\d{8})_quote\.zip$/;
const SOURCE_NAME = /^[a-z0-9-]+$/;

/**
 * Lists the recordings under a folder laid out as QuantConnect's Lean keeps them,
 * `<class>/<broker>/tick/<symbol>/<yyyymmdd>_quote.zip`. What does not look like that is passed over. Opens no file.
 */
export function listLeanSeries(dir: string): LeanSeries[] {
  const found: LeanSeries[] = [];
  for (const assetClass of foldersOf(dir)) {
    for (const source of foldersOf(join(dir, assetClass))) {
      if (!SOURCE_NAME.test(source)) continue;
      const tickFolder = join(dir, assetClass, source, "tick");
      for (const brokerSymbol of foldersOf(tickFolder)) {
        const days = daysOf(join(tickFolder, brokerSymbol));
        if (days.length > 0) found.push({ source, brokerSymbol, days });
      }
    }
  }
  return found;
}

function foldersOf(path: string): string[] {
  return entriesOf(path)
    .filter((entry) => !entry.isFile())
    .map((entry) => entry.name)
    .sort();
}

function daysOf(path: string): LeanDay[] {
  return entriesOf(path)
    .flatMap(({ name }) => {
      const date = DAY_FILE.exec(name)?.[1];
      return date === undefined ? [] : [{ path: join(path, name), date }];
    })
    .sort((a, b) => (a.date < b.date ? -1 : 1));
}

function entriesOf(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    // Not a folder, or not ours to read: nothing is recorded there.
    return [];
  }
}

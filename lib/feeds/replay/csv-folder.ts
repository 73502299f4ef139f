import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openCsvRows } from "@/lib/feeds/replay/csv-rows";
import { isSourceName, listFiles, listFolders } from "@/lib/feeds/replay/folders";
import type { RecordedFile, RecordedSeries } from "@/lib/feeds/replay/recorded-file";
import { readLines, readPieces, unzipPieces } from "@/lib/feeds/replay/text-lines";

/**
 * Lists text recordings: `<broker>/<symbol>/*.csv`, or zips of one csv each as HistData provides them. Files are sorted
 * by name, which is the order of time in vendors' names.
 */
export function listCsvSeries(dir: string): RecordedSeries[] {
  const found: RecordedSeries[] = [];
  for (const source of listFolders(dir).filter(isSourceName)) {
    for (const brokerSymbol of listFolders(join(dir, source))) {
      const folder = join(dir, source, brokerSymbol);
      const files = listFiles(folder)
        .filter((name) => /\.(csv|zip)$/i.test(name))
        .map((name) => createCsvFile(join(folder, name)));
      if (files.length > 0) found.push({ source, brokerSymbol, files });
    }
  }
  return found;
}

function createCsvFile(path: string): RecordedFile {
  const pieces = () => (/\.zip$/i.test(path) ? unzipPieces(readFileSync(path)) : readPieces(path));
  return { path, endMs: () => Infinity, open: (zone) => openCsvRows(readLines(pieces()), zone) };
}

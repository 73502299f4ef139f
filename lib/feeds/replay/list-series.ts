import { listCsvSeries } from "@/lib/feeds/replay/csv-folder";
import { listDukascopySeries } from "@/lib/feeds/replay/dukascopy-folder";
import { listLeanSeries } from "@/lib/feeds/replay/lean-folder";
import type { RecordedSeries } from "@/lib/feeds/replay/recorded-file";

/** Lists every recorded series under a folder, in all known layouts, without opening a file. */
export function listSeries(dir: string): RecordedSeries[] {
  return [...listLeanSeries(dir), ...listDukascopySeries(dir), ...listCsvSeries(dir)];
}

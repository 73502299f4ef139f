import { listCsvSeries } from "@/lib/feeds/replay/csv-folder";
import { listDukascopySeries } from "@/lib/feeds/replay/dukascopy-folder";
import { listLeanSeries } from "@/lib/feeds/replay/lean-folder";
import type { RecordedSeries } from "@/lib/feeds/replay/recorded-file";

/** Every recorded series under a folder, in any of the layouts known. Opens no file. */
export function listSeries(dir: string): RecordedSeries[] {
  return [...listLeanSeries(dir), ...listDukascopySeries(dir), ...listCsvSeries(dir)];
}

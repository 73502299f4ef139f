import { FieldError } from "@/features/forms/action-state";
import { COLUMN_LABELS } from "@/features/imports/words";
import type { FileColumn } from "@/lib/feeds/files/column-names";
import type { FileTable } from "@/lib/feeds/files/file-table";

/** The menus of the columns of a file: the option --columns on a page. */

type ColumnField = FileColumn["field"];

const isField = (text: string | undefined): text is ColumnField =>
  text !== undefined && Object.hasOwn(COLUMN_LABELS, text);

/** What each menu shows at first: what was given, else what the column was read as. */
export function listShown({ columns }: FileTable, given: string | undefined): ColumnField[] {
  const said = given?.split(",").map((each) => each.trim()) ?? [];
  const isSaid = said.length === columns.length;
  return columns.map(({ field }, at) => (isSaid && isField(said[at]) ? said[at] : field));
}

/**
 * The option for what menus say: what was given before if none was changed, "" for none. Throws FieldError for what makes
 * neither ticks nor bars.
 */
export function readColumnMenus(chosen: readonly string[], shown: string, given: string): string {
  const columns = chosen.join(",");
  if (columns === shown) return given;
  const fields = chosen.filter(isField);
  const twice = fields.find((field, at) => field !== "-" && fields.includes(field, at + 1));
  if (twice !== undefined)
    throw new FieldError("columns", `Two columns are “${COLUMN_LABELS[twice]}”: choose one of them.`);
  const has = (...needed: readonly ColumnField[]) => needed.every((field) => fields.includes(field));
  const isWhole = (has("time") || has("date")) && (has("bid", "ask") || has("open", "high", "low", "close"));
  if (!isWhole || fields.length !== chosen.length)
    throw new FieldError("columns", "Choose a time, and a bid and an ask, or an open, a high, a low and a close.");
  return columns;
}

"use client";

import { CHECK_CLASS } from "@/components/ui/badge";
import { FieldError, SelectField, TextField } from "@/components/ui/field";
import { PagePart } from "@/components/ui/page-part";
import { ActionForm } from "@/features/forms/action-form";
import type { FormAction } from "@/features/forms/action-state";
import { listShown } from "@/features/imports/columns";
import { COLUMN_LABELS, OPTION_LABELS } from "@/features/imports/words";
import type { FileTable } from "@/lib/feeds/files/file-table";
import { IMPORT_TIMEFRAMES } from "@/lib/feeds/files/price-rows";
import type { GivenOptions, OptionName } from "@/lib/history/import/import-options";
import { DATE_ORDERS, type DateOrder } from "@/lib/time/iso-time";

const HINTS: Readonly<Partial<Record<OptionName, string>>> = {
  source: "The broker or vendor. Small letters, digits and dashes.",
  zone: "Of times without an offset, such as Europe/Athens or America/New_York+7.",
  clock: "Of all times, also those that state an offset, if the vendor stated a wrong one.",
  symbol: "Where neither a file nor its name tells one.",
  columns: "What each field of a row is, such as time,bid,ask,-",
  decimals: "Of the prices of Dukascopy’s bi5 files, if its own are unknown: 0 to 10.",
  "max-refused": "In percent: a file with more counts as not imported. 20 unless given.",
};

const TEXTS: readonly OptionName[] = ["source", "symbol", "zone", "clock"];
const RARE_TEXTS: readonly OptionName[] = ["decimals", "max-refused"];

const FLAGS: readonly { readonly name: OptionName; readonly text: string }[] = [
  { name: "align", text: "Move bars that begin off their grid back to it; else they are refused" },
  {
    name: "as-is",
    text: "Store prices as they are, also at a level that the symbol never had or with more than two digits beyond its own; else they are refused",
  },
];

const DATE_LABELS: Readonly<Record<DateOrder, string>> = {
  "day-month": "Day, month: 31/01/2024",
  "month-day": "Month, day: 01/31/2024",
};

const CHOICES: readonly { readonly name: OptionName; readonly choices: readonly (readonly [string, string])[] }[] = [
  {
    name: "timeframe",
    choices: [["", "From the distance of the bars"], ...IMPORT_TIMEFRAMES.map((each) => [each, each] as const)],
  },
  {
    name: "stamps",
    choices: [
      ["", "Its beginning, as usual"],
      ["begin", "Its beginning"],
      ["end", "Its end"],
    ],
  },
  {
    name: "dates",
    choices: [["", "From the dates"], ...DATE_ORDERS.map((each) => [each, DATE_LABELS[each]] as const)],
  },
  {
    name: "decimal",
    choices: [
      ["", "From the prices"],
      [".", "Point: 1.0852"],
      [",", "Comma: 1,0852"],
    ],
  },
];

interface OptionsFormProps {
  id: string;
  given: GivenOptions;
  /** The columns of a file; null if none of the files has any. */
  table: FileTable | null;
  plan: FormAction;
}

/** Every assumption with its override. The files are read again with them. */
export function OptionsForm({ id, given, table, plan }: OptionsFormProps) {
  return (
    <PagePart
      titleId="options-title"
      title="Read the files in another way"
      isWide
      text="What is empty is recognised from the files. “Check again” reads them with what is filled in and stores nothing. It holds for all files."
    >
      <ActionForm id={id} action={plan} submit="Check again" className="grid gap-3">
        {({ errors = {} }) => {
          const toField = (name: OptionName) => ({
            id: `option-${name}`,
            name,
            label: OPTION_LABELS[name],
            hint: HINTS[name],
            error: errors[name],
            defaultValue: given[name] ?? "",
          });
          const toText = (name: OptionName) => (
            <TextField
              key={name}
              {...toField(name)}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={300}
            />
          );
          return (
            <>
              {table !== null && <ColumnMenus {...{ table, given: given.columns, error: errors["columns"] }} />}
              <div className="grid items-start gap-x-4 gap-y-3 md:grid-cols-2 wide:grid-cols-3">
                {TEXTS.map(toText)}
                {CHOICES.map(({ name, choices }) => (
                  <SelectField key={name} {...toField(name)}>
                    {choices.map(([value, text]) => (
                      <option key={value} value={value}>
                        {text}
                      </option>
                    ))}
                  </SelectField>
                ))}
                {[...(table === null ? (["columns"] as const) : []), ...RARE_TEXTS].map(toText)}
              </div>
              {FLAGS.map(({ name, text }) => (
                <label key={name} className="flex items-start gap-2 text-xs13">
                  <input
                    type="checkbox"
                    name={name}
                    value="yes"
                    defaultChecked={given[name] !== undefined}
                    className={CHECK_CLASS}
                  />
                  {text}
                </label>
              ))}
            </>
          );
        }}
      </ActionForm>
    </PagePart>
  );
}

/** A menu for each column of a file, above the cells of its first rows. */
function ColumnMenus({
  table,
  given,
  error,
}: {
  table: FileTable;
  given: string | undefined;
  error: string | undefined;
}) {
  const shown = listShown(table, given);
  return (
    <fieldset className="grid min-w-0 gap-3 pb-3" aria-describedby="column-error">
      <legend className="font-medium">Columns</legend>
      <p className="text-xs13 text-dim [overflow-wrap:anywhere]">
        What each column of {table.file} is read as, and the cells of its first rows.
      </p>
      <input type="hidden" name="columns" value={given ?? ""} />
      <input type="hidden" name="column-count" value={shown.length} />
      <input type="hidden" name="column-shown" value={shown.join(",")} />
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(9rem,100%),1fr))] gap-x-3 gap-y-4 [overflow-wrap:anywhere]">
        {table.columns.map(({ name }, at) => (
          <SelectField
            key={at}
            id={`column-${at}`}
            name={`column-${at}`}
            label={name}
            defaultValue={shown[at]}
            hint={table.rows.map((cells, row) => (
              <span key={row} translate="no" className="block h-lh truncate tabular-nums">
                {cells[at]}
              </span>
            ))}
          >
            {Object.entries(COLUMN_LABELS).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </SelectField>
        ))}
      </div>
      <FieldError id="column-error">{error}</FieldError>
      {given !== undefined && (
        <label className="flex items-start gap-2 text-xs13">
          <input type="checkbox" name="column-again" value="yes" className={CHECK_CLASS} />
          Recognise the columns from the files again
        </label>
      )}
    </fieldset>
  );
}

"use client";

import { CHECK_CLASS } from "@/components/ui/badge";
import { SelectField, TextField } from "@/components/ui/field";
import { PagePart } from "@/components/ui/page-part";
import { ActionForm } from "@/features/forms/action-form";
import type { FormAction } from "@/features/forms/action-state";
import { OPTION_LABELS } from "@/features/imports/words";
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
const RARE_TEXTS: readonly OptionName[] = ["columns", "decimals", "max-refused"];

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
  plan: FormAction;
}

/** Every assumption with its override. The files are read again with them. */
export function OptionsForm({ id, given, plan }: OptionsFormProps) {
  return (
    <PagePart
      titleId="options-title"
      title="Read the files in another way"
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
              {RARE_TEXTS.map(toText)}
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

"use server";

import { FieldError } from "@/features/forms/action-state";
import { defineAction } from "@/features/forms/define-action";
import type { FormReader } from "@/features/forms/form-reader";
import { readColumnMenus } from "@/features/imports/columns";
import { discardUpload } from "@/features/imports/upload-routes";
import { type GivenOptions, isOptionRefused, OPTION_NAMES } from "@/lib/history/import/import-options";
import type { Runtime } from "@/lib/runtime";

const IMPORT = { by: "operator", page: "/operator/import" } as const;
const MAX_LENGTH = 300;
/** The most columns of a file that has menus. */
const MOST_MENUS = 64;

/** Has the files read again, with the options of the form. */
export const planImport = defineAction({ ...IMPORT, act: "import-plan" }, async ({ form, runtime }) => {
  await plan(runtime, form, readOptions(form));
});

/** Has the files read again with one more option, which the plan suggests. */
export const takeSuggestion = defineAction(
  { ...IMPORT, act: (form) => `import-suggestion ${form.text("id")} ${form.text("option")} ${form.text("value")}` },
  async ({ form, runtime }) => {
    const run = await runtime.importControl.require(form.text("id"));
    const option = OPTION_NAMES.find((name) => name === form.text("option"));
    if (option === undefined) return;
    // A new zone or clock replaces the other, as only one of them can count.
    const { zone, clock, ...others } = run.options;
    const times = option === "zone" || option === "clock" ? {} : { zone, clock };
    await plan(runtime, form, { ...others, ...times, [option]: form.text("value", MAX_LENGTH) });
  },
);

export const startImport = defineAction(
  { ...IMPORT, needsConfirmation: true, act: "import-start" },
  async ({ form, runtime, actor }) => {
    await runtime.importControl.start(form.text("id"), actor);
  },
);

export const stopImport = defineAction({ ...IMPORT, act: "import-stop" }, async ({ form, runtime, actor }) => {
  await runtime.importControl.stop(form.text("id"), actor);
});

export const undoImport = defineAction({ ...IMPORT, act: "import-undo" }, async ({ form, runtime, actor }) => {
  await runtime.importControl.undo(form.text("id"), actor);
});

export const discardImport = defineAction(
  { ...IMPORT, act: "import-discard", redirectTo: "/operator/import" },
  async ({ form, runtime }) => {
    const id = form.text("id");
    await runtime.importControl.discard(id);
    await discardUpload(runtime, id);
  },
);

async function plan(runtime: Runtime, form: FormReader, options: GivenOptions): Promise<void> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  try {
    await runtime.importControl.plan(form.text("id"), Object.fromEntries(given));
  } catch (error) {
    if (!isOptionRefused(error)) throw error;
    throw new FieldError(error.option, error.reason.replace(/^m/, "M"));
  }
}

/** The filled in fields of the form. */
function readOptions(form: FormReader): GivenOptions {
  const given = OPTION_NAMES.map((name) => [
    name,
    name === "columns" ? readColumns(form) : form.text(name, MAX_LENGTH),
  ]);
  return Object.fromEntries(given.filter(([, value]) => value !== ""));
}

function readColumns(form: FormReader): string {
  const given = form.text("columns", MAX_LENGTH);
  const count = Number(form.text("column-count"));
  if (form.text("column-again") !== "") return "";
  if (!(count > 0 && count <= MOST_MENUS)) return given;
  const chosen = Array.from({ length: count }, (_, at) => form.text(`column-${at}`));
  return readColumnMenus(chosen, form.text("column-shown"), given);
}

import os from "node:os";
import * as z from "zod";

/** The setting SPOTLINE_API_PROCESSES as a number. "auto" is one for each two cores: the writer, the pages and the database need the others. */
export const apiProcessesSetting = z
  .string()
  .regex(/^(auto|[1-9]\d?)$/, "must be auto, or a whole number from 1 to 99")
  .transform((text) => (text === "auto" ? Math.max(1, Math.floor(os.availableParallelism() / 2)) : Number(text)));

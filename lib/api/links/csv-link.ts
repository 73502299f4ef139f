import * as z from "zod";
import { defineEndpoint } from "@/lib/api/engine/endpoint";
import type { ApiError } from "@/lib/api/engine/errors";
import { CSV_TYPE } from "@/lib/api/engine/table";
import { formatCsv } from "@/lib/text/csv";

/** The path of every link to a table; the last segment is its token. */
export const CSV_LINK_PATH = "/csv/{link}";

/** The address of a table for programs that cannot send a header. The pipeline opens the link before it is handled. */
export const csvLink = defineEndpoint({
  method: "GET",
  path: CSV_LINK_PATH,
  summary: "The table of a link, as CSV.",
  access: "key",
  weight: 1,
  query: z.object({}),
  reply: z.string(),
  contentType: "text/csv",
  handle() {
    throw new Error("A link is handled by the endpoint that it names.");
  },
});

/** Writes an error as a table, so that a spreadsheet shows its message in a cell. */
export function writeCsvError(error: ApiError) {
  return { body: formatCsv(["error", "message"], [[error.wireCode, error.message]]), contentType: CSV_TYPE };
}

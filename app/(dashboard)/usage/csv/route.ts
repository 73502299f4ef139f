import type { NextRequest } from "next/server";
import { answerCsv } from "@/features/session/csv-answer";
import { getCurrentAccount } from "@/features/session/session";
import { readUsageQuery } from "@/features/usage/data";
import { formatUsageCsv } from "@/lib/access/usage/usage-csv";
import { readUsageLines } from "@/lib/access/usage/usage-report";
import { getRuntime } from "@/lib/runtime";

/** Spreadsheets open longer files slowly. */
const MAX_LINES = 100_000;

/** The usage page's figures hour by hour, as a CSV file. */
export async function GET(request: NextRequest): Promise<Response> {
  const account = await getCurrentAccount();
  if (account === null) return new Response("Sign in first.\n", { status: 401 });
  const { database, keys, now } = await getRuntime();
  const own = await keys.list(account.id);
  const usage = readUsageQuery(Object.fromEntries(request.nextUrl.searchParams), account.id, own);
  if (usage === null) return new Response("There is no such key.\n", { status: 404 });
  const lines = await readUsageLines(database.pool, usage.query, now(), MAX_LINES);
  const labels = new Map(own.map(({ id, label }) => [id, label]));
  return answerCsv(`usage-${usage.view.period}`, formatUsageCsv(lines, labels));
}

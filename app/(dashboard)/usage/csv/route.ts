import type { NextRequest } from "next/server";
import { currentAccount } from "@/features/session/session";
import { usageAsked } from "@/features/usage/query";
import { usageCsv } from "@/lib/access/usage/usage-csv";
import { readUsageLines } from "@/lib/access/usage/usage-report";
import { getRuntime } from "@/lib/runtime";

/** As many lines as a sheet opens without complaint. */
const MOST_LINES = 100_000;

/** The hours that the usage page shows as sums. */
export async function GET(request: NextRequest): Promise<Response> {
  const account = await currentAccount();
  if (account === null) return new Response("Sign in first.\n", { status: 401 });
  const { database, keys, now } = await getRuntime();
  const own = await keys.list(account.id);
  const asked = usageAsked(Object.fromEntries(request.nextUrl.searchParams), account.id, own);
  if (asked === null) return new Response("There is no such key.\n", { status: 404 });
  const lines = await readUsageLines(database.pool, asked.query, now(), MOST_LINES);
  return new Response(usageCsv(lines, new Map(own.map(({ id, label }) => [id, label]))), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8; header=present",
      "Content-Disposition": `attachment; filename="usage-${asked.view.period}.csv"`,
      "Cache-Control": "private, no-store",
    },
  });
}

import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { requireAccount } from "@/app/session";
import { PageHeader } from "@/components/shell/page-header";
import { FeedTable } from "@/components/status/feed-table";
import { StatusFacts } from "@/components/status/status-facts";
import { getRuntime } from "@/lib/runtime";
import packageJson from "@/package.json";
import "@/components/status/status.css";

export const metadata: Metadata = { title: "Status" };

/** What the server is doing, for its operator alone. */
export default async function StatusPage() {
  const account = await requireAccount("/status");
  if (account.role !== "operator") notFound();
  const runtime = await getRuntime();
  const status = runtime.serverStatus();
  const { kind } = runtime.database;
  return (
    <>
      <PageHeader title="Status" />
      {status === null ? (
        <p className="status-note">The server has not told anything yet. Load this page again in a moment.</p>
      ) : (
        <>
          <StatusFacts status={status} database={kind} version={packageJson.version} node={process.version} />
          <FeedTable feeds={status.feeds} nowMs={runtime.now()} />
        </>
      )}
    </>
  );
}

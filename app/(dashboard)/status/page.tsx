import type { Metadata } from "next";
import { requireOperator } from "@/app/(dashboard)/operator/operator";
import { readStatusSheet } from "@/app/(dashboard)/status/sheet/read-sheet";
import { PageHeader } from "@/components/shell/page-header";
import { StatusView } from "@/components/status/status-view";
import { getRuntime } from "@/lib/runtime";
import packageJson from "@/package.json";
import "@/components/status/status.css";

export const metadata: Metadata = { title: "Status" };

/** What the server is doing, for its operator alone. */
export default async function StatusPage() {
  await requireOperator("/status");
  const sheet = await readStatusSheet(await getRuntime());
  return (
    <>
      <PageHeader title="Status">
        <p className="text-[0.8125rem] text-dim">
          Spotline {packageJson.version}, Node.js {process.versions.node}
        </p>
      </PageHeader>
      <StatusView initial={sheet} />
    </>
  );
}

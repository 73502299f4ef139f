import type { Metadata } from "next";
import { PageHeader } from "@/components/shell/page-header";
import { definePage } from "@/features/session/page-parts";
import { requireOperator } from "@/features/session/session";
import { readStatusData } from "@/features/status/data";
import { StatusView } from "@/features/status/status-view";
import { getRuntime } from "@/lib/runtime";
import packageJson from "@/package.json";

export const metadata: Metadata = { title: "Status" };

/** The state of the server, for operators only. */
export default definePage("Status", async function StatusPage() {
  await requireOperator("/status");
  const data = await readStatusData(await getRuntime());
  return (
    <>
      <PageHeader title="Status">
        <p className="text-xs13 text-dim">
          Spotline {packageJson.version}, Node.js {process.versions.node}
        </p>
      </PageHeader>
      <StatusView initial={data} />
    </>
  );
});

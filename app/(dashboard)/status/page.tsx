import type { Metadata } from "next";
import { PageHeader } from "@/components/shell/page-header";
import { requireOperator } from "@/features/operator/operator";
import { readStatusData } from "@/features/status/data";
import { StatusView } from "@/features/status/status-view";
import { getRuntime } from "@/lib/runtime";
import packageJson from "@/package.json";

import "@/features/status/status.css";

export const metadata: Metadata = { title: "Status" };

/** What the server is doing, for its operator alone. */
export default async function StatusPage() {
  await requireOperator("/status");
  const sheet = await readStatusData(await getRuntime());
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

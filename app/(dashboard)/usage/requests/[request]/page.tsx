import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { PageHeader } from "@/components/shell/page-header";
import { Link } from "@/components/ui/link";
import { toAddress } from "@/features/session/address";
import { definePage } from "@/features/session/page-parts";
import { requireAccount } from "@/features/session/session";
import { findLog } from "@/features/usage/request-data";
import { RequestDetail } from "@/features/usage/request-detail";
import { REQUESTS_PATH, toRequestsHref } from "@/features/usage/request-url";
import { findRequest } from "@/lib/access/requests/request-report";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Call" };

interface Props {
  params: Promise<{ request: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** One call, by the X-Request-Id of its answer. Another account's is not found here, except by an operator. */
export default definePage("Call", async function RequestPage({ params, searchParams }: Props) {
  const [{ request: requestId }, search] = await Promise.all([params, searchParams]);
  const visitor = await requireAccount(toAddress(`${REQUESTS_PATH}/${requestId}`, search));
  const runtime = await getRuntime();
  const log = await findLog(runtime, { account: search.account }, visitor);
  if (log === null) notFound();
  const request = await findRequest(runtime.database.pool, log.owner.id, requestId);
  if (request === null) notFound();
  return (
    <>
      <PageHeader title="Call">
        <Link href={toRequestsHref(log.view)} className="text-dim underline-offset-4 hover:underline">
          All calls
        </Link>
      </PageHeader>
      <RequestDetail
        request={request}
        apiKey={log.keys.find(({ id }) => id === request.keyId)}
        keysPath={log.view.accountId === null ? "/keys" : "/operator/keys"}
      />
    </>
  );
});

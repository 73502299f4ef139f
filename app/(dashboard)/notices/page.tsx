import type { Metadata } from "next";
import { PageHeader } from "@/components/shell/page-header";
import { EmptyState } from "@/components/ui/empty-state";
import { ActionForm } from "@/features/forms/action-form";
import { issueFormTicket } from "@/features/forms/form-ticket";
import { dismissNotice } from "@/features/notices/actions";
import { NoticeList } from "@/features/notices/notice-list";
import { requireAccount } from "@/features/session/session";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Notices" };

/** The account's notices: how much of the day's quota is used, and which keys are about to expire. */
export default async function NoticesPage() {
  const account = await requireAccount("/notices");
  const { notices, now, config } = await getRuntime();
  const list = await notices.list(account.id);
  const dismiss = dismissNotice.bind(null, await issueFormTicket());
  const isNew = list.some(({ dismissedAtMs }) => dismissedAtMs === null);
  return (
    <>
      <PageHeader title="Notices">
        {isNew && <ActionForm id="all" action={dismiss} submit="Dismiss all" size="sm" />}
      </PageHeader>
      {list.length === 0 ? (
        <EmptyState title="No notices">
          You get a notice when 50, 80 and 100 % of the day’s calls are used, and seven days and one day before a key
          expires.{config.mail !== null && " You also get an e-mail."}
        </EmptyState>
      ) : (
        <NoticeList notices={list} nowMs={now()} dismiss={dismiss} />
      )}
    </>
  );
}

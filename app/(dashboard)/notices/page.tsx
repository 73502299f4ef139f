import type { Metadata } from "next";
import { PageHeader } from "@/components/shell/page-header";
import { EmptyState } from "@/components/ui/empty-state";
import { ActionForm } from "@/features/forms/action-form";
import { issueFormTicket } from "@/features/forms/define-action";
import { chooseNotices, dismissNotice } from "@/features/notices/actions";
import { NoticeChoices, NoticeList } from "@/features/notices/notice-list";
import { requireAccount } from "@/features/session/session";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Notices" };

/** The account's notices: the use of the day's quota, keys that are about to expire, and the account's security. */
export default async function NoticesPage() {
  const account = await requireAccount("/notices");
  const { notices, now, config } = await getRuntime();
  const list = await notices.list(account.id);
  const ticket = await issueFormTicket();
  const dismiss = dismissNotice.bind(null, ticket);
  const isNew = list.some(({ dismissedAtMs }) => dismissedAtMs === null);
  return (
    <>
      <PageHeader title="Notices">
        {isNew && <ActionForm id="all" action={dismiss} submit="Dismiss all" size="sm" />}
      </PageHeader>
      {list.length === 0 ? (
        <EmptyState title="No notices">
          You get a notice when 50, 80 and 100 % of the day’s calls are used, seven days and one day before a key
          expires, when a key is created, can do more, is used from a new address or is refused from one, when someone
          signs in from a new place, and when the password is changed or the second factor switched off.
        </EmptyState>
      ) : (
        <NoticeList notices={list} nowMs={now()} dismiss={dismiss} />
      )}
      <NoticeChoices
        unmailed={await notices.readUnmailed(account.id)}
        hasMail={config.mail !== null}
        email={account.email}
        action={chooseNotices.bind(null, ticket)}
      />
    </>
  );
}

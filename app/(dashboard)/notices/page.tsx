import type { Metadata } from "next";
import { PageHeader } from "@/components/shell/page-header";
import { EmptyState } from "@/components/ui/empty-state";
import { Beside } from "@/components/ui/page-part";
import { ActionForm } from "@/features/forms/action-form";
import { issueFormTicket } from "@/features/forms/define-action";
import { chooseNotices, dismissNotice } from "@/features/notices/actions";
import { NoticeChoices, NoticeList } from "@/features/notices/notice-list";
import { definePage } from "@/features/session/page-parts";
import { requireAccount } from "@/features/session/session";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Notices" };

/** The account's notices: the use of the day's quota, keys that are about to expire, and the account's security. */
export default definePage("Notices", async function NoticesPage() {
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
      <Beside
        aside={
          <NoticeChoices
            unmailed={await notices.readUnmailed(account.id)}
            hasMail={config.mail !== null}
            email={account.email}
            action={chooseNotices.bind(null, ticket)}
          />
        }
      >
        {list.length === 0 ? (
          <EmptyState art="bell" title="No notices">
            You get a notice when most of the day’s calls are used, before a key expires, and when a key, the password
            or the place of a sign-in changes.
          </EmptyState>
        ) : (
          <NoticeList notices={list} nowMs={now()} dismiss={dismiss} />
        )}
      </Beside>
    </>
  );
});

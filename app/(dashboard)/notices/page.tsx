import type { Metadata } from "next";
import { PageHeader } from "@/components/shell/page-header";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { dismissNotice } from "@/features/notices/actions";
import { NoticeList } from "@/features/notices/notice-list";
import { requireAccount } from "@/features/session/session";
import { getRuntime } from "@/lib/runtime";

import "@/features/notices/notices.css";

export const metadata: Metadata = { title: "Notices" };

/** What the account was told by itself: how far the day's quota is used, and which keys are about to end. */
export default async function NoticesPage() {
  const account = await requireAccount("/notices");
  const { notices, now, config } = await getRuntime();
  const list = await notices.list(account.id);
  const isNew = list.some(({ dismissedAtMs }) => dismissedAtMs === null);
  return (
    <>
      <PageHeader title="Notices">
        {isNew && (
          <form action={dismissNotice}>
            <input type="hidden" name="id" value="all" />
            <Button type="submit" size="sm">
              Dismiss all
            </Button>
          </form>
        )}
      </PageHeader>
      {list.length === 0 ? (
        <EmptyState title="Nothing to tell">
          You are told here when 50, 80 and 100 % of the day’s calls are used, and seven days and a day before a key
          ends.{config.mail !== null && " A mail is sent as well."}
        </EmptyState>
      ) : (
        <NoticeList notices={list} nowMs={now()} dismiss={dismissNotice} />
      )}
    </>
  );
}

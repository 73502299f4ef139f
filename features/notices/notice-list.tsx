import Link from "next/link";
import { Moment } from "@/components/shared/moment";
import { Button } from "@/components/ui/button";
import { findNoticePath, formatNoticeText, formatNoticeTitle } from "@/lib/access/notices/notice-text";
import type { Notice } from "@/lib/access/notices/notices";

interface NoticeListProps {
  notices: readonly Notice[];
  nowMs: number;
  dismiss: (form: FormData) => Promise<void>;
}

/** What the account was told, newest first; what is new can be put away. */
export function NoticeList({ notices, nowMs, dismiss }: NoticeListProps) {
  return (
    <ul className="notice-list">
      {notices.map(({ id, facts, createdAtMs, dismissedAtMs }) => (
        <li key={id} data-new={dismissedAtMs === null || undefined}>
          <div>
            <h2>
              <Link href={findNoticePath(facts)} className="underline-offset-4 hover:underline">
                {formatNoticeTitle(facts)}
              </Link>
            </h2>
            <p>{formatNoticeText(facts)}</p>
          </div>
          <div className="notice-side">
            <Moment atMs={createdAtMs} nowMs={nowMs} />
            {dismissedAtMs === null && (
              <form action={dismiss}>
                <input type="hidden" name="id" value={id} />
                <Button type="submit" look="quiet" size="sm">
                  Dismiss<span className="sr-only">: {formatNoticeTitle(facts)}</span>
                </Button>
              </form>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

import { Moment } from "@/components/shared/moment";
import { Link } from "@/components/ui/link";
import { ActionForm } from "@/features/forms/action-form";
import type { FormAction } from "@/features/forms/action-state";
import { findNoticePath, formatNoticeText, formatNoticeTitle, type Notice } from "@/lib/access/notices/notices";

interface NoticeListProps {
  notices: readonly Notice[];
  nowMs: number;
  dismiss: FormAction;
}

/** An account's notices, newest first. New ones are marked and can be dismissed. */
export function NoticeList({ notices, nowMs, dismiss }: NoticeListProps) {
  return (
    <ul className="max-w-240 border-t border-line">
      {notices.map(({ id, facts, createdAtMs, dismissedAtMs }) => {
        const isNew = dismissedAtMs === null;
        return (
          <li
            key={id}
            data-new={isNew || undefined}
            className={`flex items-start justify-between gap-x-6 gap-y-2 border-b border-line px-4 py-3 text-xs13 text-dim max-md:flex-col max-md:px-3 ${isNew ? "shadow-[inset_2px_0_0_var(--accent)]" : ""}`}
          >
            <div>
              <h2 className={`text-[0.875rem] ${isNew ? "font-medium text-ink" : ""}`}>
                <Link href={findNoticePath(facts)} className="underline-offset-4 hover:underline">
                  {formatNoticeTitle(facts)}
                </Link>
              </h2>
              <p>{formatNoticeText(facts)}</p>
            </div>
            <div className="flex min-h-7 flex-none items-center gap-3 text-xs12 whitespace-nowrap text-faint">
              <Moment atMs={createdAtMs} nowMs={nowMs} />
              {isNew && (
                <ActionForm
                  id={id}
                  action={dismiss}
                  look="quiet"
                  size="sm"
                  submit={
                    <>
                      Dismiss<span className="sr-only">: {formatNoticeTitle(facts)}</span>
                    </>
                  }
                />
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

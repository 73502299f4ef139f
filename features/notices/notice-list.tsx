import { Moment } from "@/components/shared/moment";
import { CHECK_CLASS } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { PagePart } from "@/components/ui/page-part";
import { ActionForm } from "@/features/forms/action-form";
import type { FormAction } from "@/features/forms/action-state";
import { UNUSED_DAYS } from "@/lib/access/keys/key-life";
import {
  findNoticePath,
  formatNoticeText,
  formatNoticeTitle,
  type Notice,
  OPTIONAL_KINDS,
  type OptionalKind,
  type UnmailedKinds,
} from "@/lib/access/notices/notices";

interface NoticeListProps {
  notices: readonly Notice[];
  nowMs: number;
  dismiss: FormAction;
}

/** An account's notices, newest first. New ones are marked and can be dismissed. */
export function NoticeList({ notices, nowMs, dismiss }: NoticeListProps) {
  return (
    <ul>
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

const TEXTS: Readonly<Record<OptionalKind, readonly [name: string, when: string]>> = {
  quota: ["Use of the day’s calls", "At 50, 80 and 100 %."],
  expiry: ["Keys that end", "Seven days and one day before."],
  plan: ["Requests for another plan", "What the operator answers; for operators also new requests."],
  unused: ["Unused keys", `After ${UNUSED_DAYS} days without a call.`],
};

interface NoticeChoicesProps {
  unmailed: UnmailedKinds;
  /** Whether this installation sends mails. */
  hasMail: boolean;
  email: string;
  action: FormAction;
}

/** Chooses the notices that are also mailed. All of them are on the page. */
export function NoticeChoices({ unmailed, hasMail, email, action }: NoticeChoicesProps) {
  return (
    <PagePart
      titleId="by-mail"
      title="Notices by e-mail"
      text={
        hasMail
          ? `Every notice is on this page. Those that are checked here are also mailed to ${email}.`
          : "Every notice is on this page. This installation has no mail server, so nothing is mailed at the moment. Your choice is stored."
      }
    >
      <ActionForm action={action} submit="Save" done="Saved." className="grid gap-3 text-xs13">
        <fieldset className="grid gap-2.5">
          <legend className="sr-only">Notices that are also mailed</legend>
          {OPTIONAL_KINDS.map((kind) => (
            <Choice
              // A new box for a new choice: React would keep what was checked before.
              key={`${kind} ${unmailed.includes(kind)}`}
              name={kind}
              isChecked={!unmailed.includes(kind)}
              title={TEXTS[kind][0]}
              text={TEXTS[kind][1]}
            />
          ))}
          <Choice isChecked title="Security" text="New sign-ins, and changes and new places of keys. Always mailed." />
        </fieldset>
      </ActionForm>
    </PagePart>
  );
}

interface ChoiceProps {
  /** Absent where nothing can be chosen. */
  name?: OptionalKind;
  isChecked: boolean;
  title: string;
  text: string;
}

function Choice({ name, isChecked, title, text }: ChoiceProps) {
  return (
    <label className="flex gap-2.5">
      <input
        type="checkbox"
        name={name}
        value="mail"
        defaultChecked={isChecked}
        disabled={name === undefined}
        className={CHECK_CLASS}
      />
      <span>
        {title} <span className="block text-dim">{text}</span>
      </span>
    </label>
  );
}

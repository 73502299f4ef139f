import { SelectField } from "@/components/ui/field";
import { CHECK_CLASS } from "@/components/ui/pill";
import type { FieldsProps, FormSetup } from "@/features/alerts/components/form-setup";
import { formatPeriod } from "@/features/alerts/format-period";
import type { WebhookLine } from "@/features/alerts/types";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

const MINUTE_S = MINUTE_MS / SECOND_MS;
const PERIODS_S = [1, 5, 15, 60, 240, 1_440, 10_080].map((minutes) => minutes * MINUTE_S);
/** Mails are not sent more often. */
const MAIL_FROM_S = 15 * MINUTE_S;

type ChannelFieldsProps = FieldsProps &
  Pick<FormSetup, "email" | "hasMail"> & { webhooks: readonly Pick<WebhookLine, "id" | "name">[] };

/** How often the alert fires, and where it is sent besides this site. */
export function ChannelFields({ values, onChange, errors, email, hasMail, webhooks }: ChannelFieldsProps) {
  const { kind, repeat, byMail, webhookId } = values;
  const isOfEvents = kind === "release" || kind === "upcoming";
  const least = byMail && !isOfEvents ? MAIL_FROM_S : 0;
  const periods = PERIODS_S.filter((seconds) => seconds >= least);
  const isOther = repeat !== "once" && repeat !== "0" && !periods.includes(Number(repeat));
  return (
    <>
      <SelectField
        id="alert-repeat"
        name="repeat"
        label="Repeat"
        value={repeat}
        onChange={({ target }) => onChange({ repeat: target.value })}
        error={errors.repeat}
        hint={least > 0 ? "An alert that is mailed repeats every 15 minutes at most." : undefined}
      >
        <option value="once">Once, then it is off</option>
        {(isOfEvents || repeat === "0") && <option value="0">For every event</option>}
        {isOther && <option value={repeat}>At most every {formatPeriod(Number(repeat))}</option>}
        {periods.map((seconds) => (
          <option key={seconds} value={seconds}>
            At most every {formatPeriod(seconds)}
          </option>
        ))}
      </SelectField>
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 font-medium">Send to</legend>
        <p className="text-xs13 text-dim">Every alert is shown on all pages of Spotline. It can also be sent:</p>
        <label className={`flex items-start gap-2.5 text-xs13 ${hasMail ? "" : "text-faint"}`}>
          <input
            type="checkbox"
            name="byMail"
            value="1"
            checked={byMail}
            disabled={!hasMail && !byMail}
            onChange={({ target }) => onChange({ byMail: target.checked })}
            className={CHECK_CLASS}
          />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {hasMail ? `By mail to ${email}` : "By mail: this server sends no mail"}
          </span>
        </label>
        {webhooks.length > 0 && (
          <SelectField
            id="alert-webhook"
            name="webhookId"
            label="Webhook"
            value={webhookId}
            onChange={({ target }) => onChange({ webhookId: target.value })}
            error={errors.webhookId}
          >
            <option value="">No webhook</option>
            {webhooks.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
      </fieldset>
    </>
  );
}

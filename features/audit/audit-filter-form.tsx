import { Button } from "@/components/ui/button";
import { TOOLBAR_CLASS } from "@/components/ui/page-part";
import { FIELD_CLASS, SearchBox } from "@/components/ui/search-box";
import { type AuditView, toAuditHref } from "@/features/audit/url";
import { AUDIT_ACTORS, AUDIT_KINDS, type AuditActor, type AuditKind } from "@/lib/access/audit/audit-filter";

const KINDS: Readonly<Record<AuditKind, string>> = {
  account: "Accounts",
  key: "Keys",
  session: "Sessions",
  plan_request: "Plan requests",
  invitation: "Invitations",
  alert: "Alerts",
  webhook: "Webhooks",
  ingest_token: "Tokens of terminals",
  source: "Sources of prices",
};
const ACTORS: Readonly<Record<AuditActor, string>> = {
  me: "You",
  others: "Other accounts",
  cli: "Command line",
  somebody: "Not signed in",
};
/** Members have no events of these. */
const OPERATOR_KINDS = new Set<AuditKind>(["invitation", "ingest_token", "source"]);

const BOX = `${FIELD_CLASS} px-2 w-auto! min-w-0 max-md:flex-[1_1_8rem]`;

/** Filters the audit log by the page's address, so that it works without a script. */
export function AuditFilterForm({ view, isOperator }: { view: AuditView; isOperator: boolean }) {
  const kinds = AUDIT_KINDS.filter((kind) => isOperator || !OPERATOR_KINDS.has(kind));
  return (
    <form
      key={toAuditHref(view)}
      action="/audit"
      role="search"
      aria-label="Filters of the audit log"
      className={TOOLBAR_CLASS}
    >
      <SearchBox
        name="text"
        type="search"
        label={isOperator ? "Event, key, account or address" : "Event, key or address"}
        defaultValue={view.text}
        maxLength={100}
        autoCapitalize="none"
        spellCheck={false}
        boxClassName="w-72 max-md:w-full"
      />
      <select name="kind" aria-label="Changes to" defaultValue={view.kind ?? ""} className={BOX}>
        <option value="">All changes</option>
        {kinds.map((kind) => (
          <option key={kind} value={kind}>
            {KINDS[kind]}
          </option>
        ))}
      </select>
      <select name="by" aria-label="Made by" defaultValue={view.by ?? ""} className={BOX}>
        <option value="">By anyone</option>
        {AUDIT_ACTORS.map((actor) => (
          <option key={actor} value={actor}>
            {actor === "others" && !isOperator ? "The operator" : ACTORS[actor]}
          </option>
        ))}
      </select>
      <label className="flex items-center gap-1.5 text-xs13 text-dim max-md:flex-[1_1_8rem]">
        From
        <input type="date" name="from" defaultValue={view.from} className={BOX} />
      </label>
      <label className="flex items-center gap-1.5 text-xs13 text-dim max-md:flex-[1_1_8rem]">
        to
        <input type="date" name="to" defaultValue={view.to} className={BOX} />
      </label>
      <Button type="submit" size="sm" className="max-md:h-10 max-md:w-full">
        Show
      </Button>
    </form>
  );
}

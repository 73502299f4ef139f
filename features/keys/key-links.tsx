import { Moment } from "@/components/shared/moment";
import { CopyLine } from "@/components/ui/copy-line";
import { Figure } from "@/components/ui/figure";
import { ListPart, PagePart } from "@/components/ui/page-part";
import { type Column, createActionsColumn, Table } from "@/components/ui/table";
import { ActionForm } from "@/features/forms/action-form";
import type { FormAction } from "@/features/forms/action-state";
import type { LinkTarget, ShownLink } from "@/features/keys/key-link-data";
import { LinkForm } from "@/features/keys/link-form";

/** The links of a key. */
export function KeyLinkList({
  links,
  nowMs,
  revoke,
}: {
  links: readonly ShownLink[];
  nowMs: number;
  revoke: FormAction;
}) {
  if (links.length === 0) return null;
  const columns: readonly Column<ShownLink>[] = [
    { heading: "Opens", cell: ({ path, query }) => <Figure>{formatTarget(path, query)}</Figure> },
    { heading: "Address", cell: ({ id, url }) => <CopyLine id={`link-${id}`} label="Link" text={url} /> },
    {
      heading: "Last used",
      cell: ({ lastUsedAtMs }) =>
        lastUsedAtMs === null ? <span className="text-dim">never</span> : <Moment atMs={lastUsedAtMs} nowMs={nowMs} />,
    },
    createActionsColumn(({ id, path, query }) => (
      <ActionForm
        id={id}
        action={revoke}
        size="sm"
        submit={
          <>
            Revoke<span className="sr-only"> the link to {formatTarget(path, query)}</span>
          </>
        }
      />
    )),
  ];
  return (
    <ListPart titleId="link-list-title" title="Links of this key">
      <Table caption="Links of this key" columns={columns} rows={links} getKey={({ id }) => id} look="cards" />
    </ListPart>
  );
}

interface NewKeyLinkProps {
  keyId: string;
  targets: readonly LinkTarget[];
  /** Whether the password was confirmed a moment ago; a new link needs it. */
  confirmed: boolean;
  create: FormAction<string>;
}

/** The form for a new link of a key. */
export function NewKeyLink({ keyId, targets, confirmed, create }: NewKeyLinkProps) {
  return (
    <PagePart
      titleId="links-title"
      title="Links for spreadsheets and charts"
      text="Excel and Google Sheets cannot send a key, nor can charts. A link opens one table with fixed parameters, or the prices for charts, and nothing else. Calls through it count as calls of this key, and it ends with the key. Anyone who has a link can read it."
    >
      <LinkForm keyId={keyId} targets={targets} action={create} confirmed={confirmed} />
    </PagePart>
  );
}

function formatTarget(path: string, query: string): string {
  return query === "" ? path : `${path}?${decodeURIComponent(query.replaceAll("+", " "))}`;
}

import { CallBars } from "@/components/shared/call-bars";
import { Moment } from "@/components/shared/moment";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Figure } from "@/components/ui/figure";
import { Link } from "@/components/ui/link";
import { TOOLBAR_CLASS } from "@/components/ui/page-part";
import { SearchBox } from "@/components/ui/search-box";
import { type Column, createActionsColumn, Table } from "@/components/ui/table";
import { ActionForm } from "@/features/forms/action-form";
import type { FormAction } from "@/features/forms/action-state";
import {
  getEndedClass,
  KeyStatus,
  LastUsed,
  LifetimeMark,
  listRestrictions,
  ShownKey,
} from "@/features/keys/key-summary";
import { RevokeKey } from "@/features/keys/revoke-key";
import type { Key } from "@/lib/access/keys/key";
import type { HourOfKey } from "@/lib/access/usage/key-hours";
import { DAY_MS } from "@/lib/time/units";

const SOON_MS = 3 * DAY_MS;

interface KeyTableProps {
  caption: string;
  keys: readonly Key[];
  nowMs: number;
  revoke: FormAction;
  restore: FormAction;
  confirmed: boolean;
  /** The longest life of new keys; null where the operator does not bound it. */
  maxLifetimeDays: number | null;
  /** The last 24 hours of the keys that had calls. */
  hours: ReadonlyMap<string, readonly HourOfKey[]>;
  /** How the rows are sorted, with links to sort them differently; null for a short list. */
  view: KeyListView | null;
}

/** An account's keys, with the forms that revoke and restore them. */
export function KeyTable({ caption, keys, nowMs, maxLifetimeDays, hours, view, ...actions }: KeyTableProps) {
  const sortable = (sort: KeySort) =>
    view === null
      ? {}
      : {
          sortHref: toKeyListHref({ ...view, sort }),
          isSorted: view.sort === sort,
          isDescending: sort !== "label" && sort !== "expires",
        };
  const columns: readonly Column<Key>[] = [
    { heading: "Label", ...sortable("label"), cell: (key) => <KeyLabel apiKey={key} /> },
    { heading: "Key", cell: (key) => <ShownKey apiKey={key} /> },
    { heading: "Scopes", cell: (key) => <Permissions apiKey={key} /> },
    { heading: "Allowed from", cell: ({ allowedCidrs }) => <Addresses cidrs={allowedCidrs} /> },
    {
      heading: "Expires",
      ...sortable("expires"),
      cell: (key) => <Expiry apiKey={key} nowMs={nowMs} maxDays={maxLifetimeDays} />,
    },
    {
      heading: "Last 24 hours",
      ...sortable("calls"),
      cell: ({ id }) => <DayOfKey hours={hours.get(id)} />,
    },
    {
      heading: "Last used",
      ...sortable("used"),
      tip: "Accurate to the minute",
      cell: (key) => <LastUsed apiKey={key} nowMs={nowMs} />,
    },
    {
      heading: "Created",
      ...sortable("created"),
      cell: ({ createdAtMs }) => <Moment atMs={createdAtMs} nowMs={nowMs} />,
    },
    { heading: "Status", cell: (key) => <KeyStatus apiKey={key} nowMs={nowMs} /> },
    createActionsColumn((key) => <KeyActions apiKey={key} {...actions} />),
  ];
  return (
    <Table
      caption={caption}
      columns={columns}
      rows={keys}
      getKey={({ id }) => id}
      look="cards"
      rowProps={({ state }) => ({ "data-state": state, className: getEndedClass(state) })}
    />
  );
}

function DayOfKey({ hours }: { hours: readonly HourOfKey[] | undefined }) {
  if (hours === undefined) return <span className="text-dim">no calls</span>;
  const bars = hours.map(({ startMs, ...calls }) => ({
    name: new Date(startMs).toISOString().slice(11, 16),
    ...calls,
  }));
  return <CallBars label="Last 24 hours" bars={bars} className="h-6 w-24" />;
}

function KeyLabel({ apiKey: { id, label, kind } }: { apiKey: Key }) {
  return (
    <>
      <Link
        href={`/keys/${id}`}
        className="mr-2 font-medium underline-offset-4 [overflow-wrap:anywhere] hover:underline"
      >
        {label}
      </Link>
      {kind === "tool" && <Badge>tool</Badge>}
    </>
  );
}

/** Whether the owner can restore the key: it was revoked a moment ago, and not by an operator. */
export function isRestorableByOwner({ restorableUntilMs, revokedByOperator }: Key): boolean {
  return restorableUntilMs !== null && !revokedByOperator;
}

type KeyActionsProps = Pick<KeyTableProps, "revoke" | "restore" | "confirmed"> & { apiKey: Key };

function KeyActions({ apiKey, revoke, restore, confirmed }: KeyActionsProps) {
  const { id, label, state } = apiKey;
  return (
    <>
      {(state === "active" || state === "disabled") && (
        <RevokeKey id={id} label={label} action={revoke} confirmed={confirmed} />
      )}
      {isRestorableByOwner(apiKey) && (
        <ActionForm
          id={id}
          action={restore}
          confirmed={confirmed}
          submit={
            <>
              Undo<span className="sr-only"> the revocation of {label}</span>
            </>
          }
        />
      )}
    </>
  );
}

function Expiry({ apiKey, nowMs, maxDays }: { apiKey: Key; nowMs: number; maxDays: number | null }) {
  const { state, expiresAtMs } = apiKey;
  if (state === "revoked") return <span className="text-dim">–</span>;
  return (
    <>
      {expiresAtMs === null ? (
        <span className="text-dim">never</span>
      ) : (
        <Moment atMs={expiresAtMs} nowMs={nowMs} urgent={state === "active" && expiresAtMs - nowMs < SOON_MS} />
      )}
      <LifetimeMark apiKey={apiKey} maxDays={maxDays} />
    </>
  );
}

/** The scopes of a key, and its restrictions in short. */
function Permissions({ apiKey }: { apiKey: Key }) {
  const restrictions = listRestrictions(apiKey);
  return (
    <>
      {apiKey.scopes.join(", ")}
      {restrictions.length > 0 && (
        <span className="block text-2xs text-faint">{restrictions.map(({ short }) => short).join(", ")}</span>
      )}
    </>
  );
}

function Addresses({ cidrs }: { cidrs: readonly string[] }) {
  const [first, ...others] = cidrs;
  if (first === undefined) return <span className="text-dim">anywhere</span>;
  return (
    <span title={cidrs.join("\n")}>
      <Figure className="text-xs12">{first.replace(/\/(32|128)$/, "")}</Figure>
      {others.length > 0 && <span className="text-dim"> and {others.length} more</span>}
    </span>
  );
}

/** Searches a long list of keys by the page's address, so that it works without a script. */
export function KeySearch({ view: { text, sort } }: { view: KeyListView }) {
  return (
    <form key={text} action="/keys" className={TOOLBAR_CLASS}>
      {sort !== "created" && <input type="hidden" name="sort" value={sort} />}
      <SearchBox
        name="text"
        type="search"
        label="Label, scope, address or last characters"
        defaultValue={text}
        maxLength={100}
        autoCapitalize="none"
        spellCheck={false}
        boxClassName="w-80 max-md:flex-1"
      />
      <Button type="submit" size="sm" className="max-md:h-10">
        Search
      </Button>
    </form>
  );
}

/** The view in the address of the list of keys. */
interface KeyListView {
  readonly text: string;
  readonly sort: KeySort;
}

const KEY_SORTS = ["created", "label", "used", "expires", "calls"] as const;
type KeySort = (typeof KEY_SORTS)[number];

type Params = Readonly<Record<string, string | string[] | undefined>>;

const MAX_TEXT_LENGTH = 100;

/** Reads an address. Invalid values are ignored. */
export function readKeyListView({ text, sort }: Params): KeyListView {
  return {
    text: typeof text === "string" ? text.trim().slice(0, MAX_TEXT_LENGTH) : "",
    sort: KEY_SORTS.find((each) => each === sort) ?? "created",
  };
}

/** The address of a view, without its defaults. */
export function toKeyListHref({ text, sort }: KeyListView): string {
  const params = new URLSearchParams();
  if (text !== "") params.set("text", text);
  if (sort !== "created") params.set("sort", sort);
  return params.size === 0 ? "/keys" : `/keys?${params}`;
}

/** Selects keys by a part of their label, scopes, addresses or visible characters. `text` may be in any case. */
export function findKeys(keys: readonly Key[], text: string): readonly Key[] {
  const sought = text.toLowerCase();
  if (sought === "") return keys;
  return keys.filter(({ label, start, last4, scopes, allowedCidrs, kind }) =>
    [label, `${start}…${last4}`, last4, kind, ...scopes, ...allowedCidrs].some((part) =>
      part.toLowerCase().includes(sought),
    ),
  );
}

/** Sorts keys: by label, or with the newest, the last used, the first to end or the busiest one first. */
export function sortKeys(keys: readonly Key[], sort: KeySort, countCalls: (key: Key) => number): readonly Key[] {
  const rank: Readonly<Record<KeySort, (a: Key, b: Key) => number>> = {
    created: (a, b) => b.createdAtMs - a.createdAtMs,
    label: (a, b) => a.label.localeCompare(b.label, "en"),
    used: (a, b) => (b.lastUsedAtMs ?? 0) - (a.lastUsedAtMs ?? 0),
    expires: (a, b) => (a.expiresAtMs ?? Infinity) - (b.expiresAtMs ?? Infinity) || b.createdAtMs - a.createdAtMs,
    calls: (a, b) => countCalls(b) - countCalls(a),
  };
  return keys.toSorted(rank[sort]);
}

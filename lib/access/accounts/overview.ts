import {
  type AccountQuery,
  type EndpointUse,
  escapeLike,
  type FoundAccounts,
  readUsageToday,
  searchAccounts,
} from "@/lib/access/accounts/account-search";
import type { AuditContent } from "@/lib/access/audit-event";
import { isId } from "@/lib/access/id";
import { type Key, toKey } from "@/lib/access/keys/key";
import { getDisplayParts, isWellFormed, KEY_PREFIX } from "@/lib/access/keys/key-format";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";

export type { AccountLine, AccountQuery, EndpointUse } from "@/lib/access/accounts/account-search";

/** Finds accounts and keys of every owner, for the operator. */
export type Overview = ReturnType<typeof createOverview>;

export interface OwnedKey extends Key {
  readonly ownerEmail: string;
}

const START_LENGTH = KEY_PREFIX.length + 4;
const WITH_OWNER = { account: { select: { email: true } } } as const;

export function createOverview({ pool, prisma }: Database, { now }: { readonly now: Clock }) {
  return {
    accounts: (query: AccountQuery): Promise<FoundAccounts> => searchAccounts(pool, query, now()),
    today: (accountId: string): Promise<EndpointUse[]> => readUsageToday(pool, accountId, now()),

    /** Keys by their visible characters, newest first: "fxk_live_3f9a", "3f9a", "fxk_live_3f9a…Qx7b". */
    async keys(shown: string, limit: number): Promise<OwnedKey[]> {
      const parts = parseShownKey(shown);
      if (parts === null) return [];
      const rows = await prisma.apiKey.findMany({
        // Prisma does not escape these for LIKE.
        where: { start: { startsWith: escapeLike(parts.start) }, last4: { startsWith: escapeLike(parts.last4) } },
        include: WITH_OWNER,
        orderBy: [{ createdAt: "desc" }, { id: "desc" }],
        take: limit,
      });
      return rows.map(({ account, ...row }) => ({ ...toKey(row, now()), ownerEmail: account.email }));
    },

    async key(id: string): Promise<OwnedKey | null> {
      if (!isId(id)) return null;
      const row = await prisma.apiKey.findUnique({ where: { id }, include: WITH_OWNER });
      return row && { ...toKey(row, now()), ownerEmail: row.account.email };
    },

    /** The e-mail addresses of the accounts in these events, by id. Closed accounts have none. */
    async findEmails(events: readonly AuditContent[]): Promise<Map<string, string>> {
      const ids = new Set(events.flatMap(({ accountId, actor }) => [accountId, actor]).filter(isId));
      const rows = await prisma.account.findMany({
        where: { id: { in: [...ids] } },
        select: { id: true, email: true },
      });
      return new Map(rows.map(({ id, email }) => [id, email]));
    },

    /** The keys in these events that still exist. */
    async findKeys(events: readonly AuditContent[]): Promise<Key[]> {
      const ids = new Set(events.flatMap(({ keyId }) => keyId ?? []));
      const rows = await prisma.apiKey.findMany({ where: { id: { in: [...ids] } } });
      return rows.map((row) => toKey(row, now()));
    },
  };
}

/** Reads the visible characters of a key from a search text, which may hold fewer of them or the whole key. */
function parseShownKey(input: string): { start: string; last4: string } | null {
  const text = input.trim();
  if (isWellFormed(text)) return getDisplayParts(text);
  const [, head = "", tail = ""] = /^([\w-]+)(?:(?:…|\.{3})(\w{1,4}))?$/.exec(text) ?? [];
  if (head === "") return null;
  const start = KEY_PREFIX.startsWith(head.slice(0, KEY_PREFIX.length)) ? head : `${KEY_PREFIX}${head}`;
  return { start: start.slice(0, START_LENGTH), last4: tail };
}

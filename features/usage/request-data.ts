import { listKeyedPaths, type UsageKey } from "@/features/usage/data";
import { readRequestView, type RequestView } from "@/features/usage/request-url";
import type { Account } from "@/lib/access/accounts/accounts";
import type { Key } from "@/lib/access/keys/key";
import {
  countRefusals,
  listRequests,
  type LoggedRequest,
  type RefusalCount,
  type RequestFilter,
} from "@/lib/access/requests/request-report";
import type { Runtime } from "@/lib/runtime";

type Params = Readonly<Record<string, string | string[] | undefined>>;

/** A view of a log that the visitor may see. */
interface VisibleLog {
  readonly view: RequestView;
  /** The account whose calls they are. */
  readonly owner: Account;
  readonly keys: readonly Key[];
  readonly filter: RequestFilter;
}

const PAGE_LENGTH = 50;

/** Finds the log that an address names; null if it is not the visitor's to see, or names a key of another account. */
export async function findLog(
  runtime: Pick<Runtime, "accounts" | "keyedEndpoints" | "keys">,
  params: Params,
  visitor: Account,
): Promise<VisibleLog | null> {
  const named = readRequestView(params, listKeyedPaths(runtime));
  const view = named.accountId === visitor.id ? { ...named, accountId: null } : named;
  if (view.accountId !== null && visitor.role !== "operator") return null;
  const owner = view.accountId === null ? visitor : await runtime.accounts.find(view.accountId);
  if (owner === null) return null;
  const own = await runtime.keys.list(owner.id);
  if (view.keyId !== null && own.every(({ id }) => id !== view.keyId)) return null;
  return { view, owner, keys: own, filter: toFilter(view, owner.id) };
}

function toFilter({ keyId, endpoint, outcome, code, text }: RequestView, accountId: string): RequestFilter {
  return {
    accountId,
    keyId: keyId ?? undefined,
    endpoint: endpoint ?? undefined,
    outcome: outcome ?? undefined,
    code: code ?? undefined,
    text,
  };
}

/** Reads one page of a log. */
export async function readRequests(
  { database: { pool } }: Pick<Runtime, "database">,
  { view, owner, keys, filter }: VisibleLog,
): Promise<RequestsData> {
  const page = { ...filter, beforeId: view.beforeId ?? undefined, limit: PAGE_LENGTH + 1 };
  const [rows, refusals] = await Promise.all([listRequests(pool, page), countRefusals(pool, owner.id)]);
  return {
    rows: rows.slice(0, PAGE_LENGTH),
    hasOlder: rows.length > PAGE_LENGTH,
    refusals,
    keys: keys.map(({ id, label, last4 }) => ({ id, label, last4 })),
  };
}

/** One page of the log. */
export interface RequestsData {
  readonly rows: readonly LoggedRequest[];
  readonly hasOlder: boolean;
  /** The refusals of the whole account, whatever the view. */
  readonly refusals: readonly RefusalCount[];
  readonly keys: readonly UsageKey[];
}

import { REQUEST_OUTCOMES, type RequestOutcome } from "@/lib/access/requests/request-report";

type Params = Readonly<Record<string, string | string[] | undefined>>;

export const REQUESTS_PATH = "/usage/requests";
const MAX_TEXT_LENGTH = 100;
const CODE = /^[A-Z_]{1,40}$/;

/** Reads an address. Invalid values are ignored. The caller must check the owner of the key and of the log. */
export function readRequestView(params: Params, paths: readonly string[]): RequestView {
  const text = (name: string) => {
    const value = params[name];
    return typeof value === "string" ? value.replaceAll("\0", "").trim() : "";
  };
  const before = Number(text("before"));
  return {
    accountId: text("account") || null,
    keyId: text("key") || null,
    endpoint: paths.find((path) => path === text("endpoint")) ?? null,
    outcome: REQUEST_OUTCOMES.find((outcome) => outcome === text("outcome")) ?? null,
    code: CODE.test(text("code")) ? text("code") : null,
    text: text("text").slice(0, MAX_TEXT_LENGTH),
    beforeId: Number.isSafeInteger(before) && before > 0 ? before : null,
  };
}

/** The address of a view, without its defaults. */
export function toRequestsHref(view: RequestView, base = REQUESTS_PATH): string {
  const params = new URLSearchParams();
  if (view.accountId !== null) params.set("account", view.accountId);
  if (view.outcome !== null) params.set("outcome", view.outcome);
  if (view.code !== null) params.set("code", view.code);
  if (view.keyId !== null) params.set("key", view.keyId);
  if (view.endpoint !== null) params.set("endpoint", view.endpoint);
  if (view.text !== "") params.set("text", view.text);
  if (view.beforeId !== null) params.set("before", String(view.beforeId));
  const search = params.toString().replaceAll("%2F", "/");
  return search === "" ? base : `${base}?${search}`;
}

/** The address of one call. */
export function toRequestHref(requestId: string, accountId: string | null): string {
  return `${REQUESTS_PATH}/${requestId}${accountId === null ? "" : `?account=${encodeURIComponent(accountId)}`}`;
}

/** Whether a view shows only a part of the calls. */
export function isFiltered({ keyId, endpoint, outcome, code, text }: RequestView): boolean {
  return keyId !== null || endpoint !== null || outcome !== null || code !== null || text !== "";
}

/** The view in the address of the request log. Null means all. */
export interface RequestView {
  /** Another account's log, which only operators may see; null for one's own. */
  readonly accountId: string | null;
  readonly keyId: string | null;
  readonly endpoint: string | null;
  readonly outcome: RequestOutcome | null;
  readonly code: string | null;
  readonly text: string;
  /** The row that the page continues after; null for the newest rows. */
  readonly beforeId: number | null;
}

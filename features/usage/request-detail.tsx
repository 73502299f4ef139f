import type { ReactNode } from "react";
import { Fact, Facts } from "@/components/ui/facts";
import { Link } from "@/components/ui/link";
import { ListPart } from "@/components/ui/page-part";
import { formatTook, RequestStatus, RequestTime } from "@/features/usage/request-cells";
import type { Key } from "@/lib/access/keys/key";
import {
  MAX_ACCOUNT_REQUESTS,
  MAX_ANSWERED_ROWS,
  MAX_REFUSED_ROWS,
  REQUEST_RETENTION_MS,
} from "@/lib/access/requests/request-log";
import type { LoggedRequest } from "@/lib/access/requests/request-report";
import { findErrorGuide } from "@/lib/api/engine/error-guide";
import { formatCount } from "@/lib/text/text";
import { DAY_MS } from "@/lib/time/units";

interface RequestDetailProps {
  request: LoggedRequest;
  /** Undefined for a deleted key. */
  apiKey: Key | undefined;
  /** The path of the pages of keys. */
  keysPath: string;
}

/** Everything that the log has of one call, and why it was refused. */
export function RequestDetail({ request, apiKey, keysPath }: RequestDetailProps) {
  const { atMs, method, endpoint, symbols, credits, ms, address, more, code, message, requestId } = request;
  const keyPath = apiKey === undefined ? null : `${keysPath}/${apiKey.id}`;
  return (
    <>
      <Facts>
        <Fact name="Status">
          <RequestStatus request={request} />
        </Fact>
        <Fact name="Time (UTC)">
          <RequestTime atMs={atMs} />
        </Fact>
        <Fact name="Call" valueClassName="[overflow-wrap:anywhere]">
          <span className="font-mono text-xs12">
            {method} {endpoint}
          </span>
          {symbols !== null && <span className="block">{symbols}</span>}
        </Fact>
        <Fact name="Key" valueClassName="[overflow-wrap:anywhere]">
          {apiKey === undefined || keyPath === null ? (
            "a deleted key"
          ) : (
            <TextLink href={keyPath}>
              {apiKey.label} …{apiKey.last4}
            </TextLink>
          )}
        </Fact>
        <Fact name="From" isFigure>
          {address ?? "not known"}
        </Fact>
        <Fact name="Credits" isFigure>
          {formatCount(credits)}
        </Fact>
        <Fact name="Took" isFigure>
          {formatTook(ms)}
        </Fact>
        <Fact name="Request id" className="col-span-2" isFigure valueClassName="text-xs12 [overflow-wrap:anywhere]">
          {requestId}
        </Fact>
      </Facts>
      {code !== null && (
        <ListPart titleId="reason" title="Why it was refused">
          <div className="mx-4 grid max-w-2xl gap-2 text-xs13 max-md:mx-3">
            {message !== null && (
              <blockquote className="border-l-2 border-edge bg-panel px-3 py-2 [overflow-wrap:anywhere]">
                {message}
              </blockquote>
            )}
            <RefusalGuide code={code} />
            <RemedyLink code={code} keyPath={keyPath} />
          </div>
        </ListPart>
      )}
      {more > 0 && (
        <p className="px-4 py-3 text-xs13 text-dim max-md:px-3">
          {formatCount(more)} further {more === 1 ? "call" : "calls"} with the same key, endpoint, status and error code
          came in the same second. They have no row of their own.
        </p>
      )}
    </>
  );
}

const KEY_CODES = new Set([
  "API_KEY_DISABLED",
  "API_KEY_EXPIRED",
  "IP_NOT_ALLOWED",
  "ORIGIN_NOT_ALLOWED",
  "PERMISSION_DENIED",
]);
const PLAN_CODES = new Set(["PLAN_UPGRADE_REQUIRED", "QUOTA_EXCEEDED", "RATE_LIMIT_EXCEEDED"]);

function RemedyLink({ code, keyPath }: { code: string; keyPath: string | null }) {
  if (KEY_CODES.has(code) && keyPath !== null) return <TextLink href={keyPath}>Open the key</TextLink>;
  return PLAN_CODES.has(code) && <TextLink href="/plan">Compare the plans</TextLink>;
}

function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="justify-self-start text-accent-ink underline underline-offset-4">
      {children}
    </Link>
  );
}

/** What an error code means, and what to do about it. */
export function RefusalGuide({ code }: { code: string }) {
  const guide = findErrorGuide(code);
  if (guide === null) return <p className="text-dim">This version of Spotline does not know the code {code}.</p>;
  return (
    <>
      <p>{guide.meaning}</p>
      <p className="text-dim">{guide.remedy}</p>
    </>
  );
}

/** What the log has, and what it has not. */
export function LogNote() {
  return (
    <p className="max-w-3xl px-4 pt-1 pb-6 text-xs12 text-faint max-md:px-3">
      A row is deleted after {REQUEST_RETENTION_MS / DAY_MS} days, or once the account has{" "}
      {formatCount(MAX_ACCOUNT_REQUESTS)} newer ones. Of the calls of a key in one second the first {MAX_ANSWERED_ROWS}{" "}
      answered and the first {MAX_REFUSED_ROWS} refused ones have a row each, fewer while the server is very busy; the
      others are counted on the last row with the same endpoint, status and error code. So every reason of a refusal has
      a row. Calls without the secret of a key of this account are not in the log.
    </p>
  );
}

import type { ReactNode } from "react";
import { Fact, Facts } from "@/components/ui/facts";
import { Link } from "@/components/ui/link";
import { ListPart } from "@/components/ui/page-part";
import { RefusalGuide } from "@/features/usage/requests/refusal-guide";
import { formatTook, RequestStatus, RequestTime } from "@/features/usage/requests/request-cells";
import type { Key } from "@/lib/access/keys/key";
import type { LoggedRequest } from "@/lib/access/requests/request-report";
import { formatCount } from "@/lib/text/text";

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
        <Fact name="From" valueClassName="numerals">
          {address ?? "not known"}
        </Fact>
        <Fact name="Credits" valueClassName="numerals">
          {formatCount(credits)}
        </Fact>
        <Fact name="Took" valueClassName="numerals">
          {formatTook(ms)}
        </Fact>
        <Fact name="Request id" className="col-span-2" valueClassName="numerals text-xs12 [overflow-wrap:anywhere]">
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

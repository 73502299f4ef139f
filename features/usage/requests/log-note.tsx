import {
  MAX_ACCOUNT_REQUESTS,
  MAX_ANSWERED_ROWS,
  MAX_REFUSED_ROWS,
  REQUEST_RETENTION_MS,
} from "@/lib/access/requests/request-log";
import { formatCount } from "@/lib/text/text";
import { DAY_MS } from "@/lib/time/units";

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

import type { RangeProblem } from "@/lib/access/allow-list";

export type AccessErrorCode =
  | "invalid_email"
  | "invalid_password"
  | "email_taken"
  | "account_not_found"
  | "account_suspended"
  | "session_not_found"
  | "last_operator"
  | "setup_required"
  | "sign_up_closed"
  | "invitation_not_found"
  | "invitation_not_yours"
  | "too_many_invitations"
  | "invalid_reason"
  | "invalid_plan"
  | "invalid_message"
  | "plan_request_state"
  | "invalid_limit"
  | "invalid_credits"
  | "invalid_label"
  | "invalid_kind"
  | "invalid_scopes"
  | "invalid_addresses"
  | "invalid_endpoints"
  | "invalid_minute_limit"
  | "invalid_day_limit"
  | "invalid_symbols"
  | "invalid_origins"
  | "invalid_link"
  | "link_not_found"
  | "too_many_links"
  | "invalid_expiry"
  | "too_many_keys"
  | "key_not_found"
  | "key_state"
  | "invalid_grace"
  | "confirmation_required"
  | "wrong_password"
  | "too_many_attempts"
  | "reset_not_valid"
  | "too_many_changes"
  | "wrong_code"
  | "second_factor_state"
  | "identity_state"
  | "source_not_found"
  | "source_not_paused"
  | "invalid_source"
  | "token_not_found"
  | "invalid_spelling"
  | "invalid_symbol"
  | "invalid_instrument"
  | "alias_not_found"
  | "import_not_found"
  | "import_state"
  | "import_too_large"
  | "too_many_exports"
  | "invalid_name"
  | "invalid_list"
  | "invalid_drawing"
  | "too_many_drawings"
  | "invalid_screen"
  | "too_many_screens"
  | "invalid_alert"
  | "invalid_indicator"
  | "invalid_timeframe"
  | "alert_not_found"
  | "too_many_alerts"
  | "plan_needed"
  | "invalid_url"
  | "invalid_token"
  | "invalid_chat"
  | "webhook_not_found"
  | "too_many_webhooks"
  | "passkey_refused"
  | "passkey_state"
  | "form_used"
  | "busy";

/** A refusal whose message is for the user. Nothing was changed. */
export class AccessError extends Error {
  override readonly name = "AccessError";

  constructor(
    readonly code: AccessErrorCode,
    message: string,
    /** For "invalid_addresses": the problem of each bad line. */
    readonly problems: readonly RangeProblem[] = [],
  ) {
    super(message);
  }
}

/** Checks the name, because the process has more than one copy of this class: Next bundles its own. */
export function isAccessError(error: unknown): error is AccessError {
  return error instanceof Error && error.name === "AccessError" && "code" in error;
}

/** What became of ending a session; nothing to say when it went well, as the list shows it. */
export interface SessionState {
  readonly error?: string;
}

export type SessionAction = (state: SessionState, form: FormData) => Promise<SessionState>;

/** What became of a new password. Passwords are never handed back. */
export interface PasswordState {
  readonly error?: string;
  readonly oldError?: string;
  readonly newError?: string;
  readonly changed?: true;
}

export type PasswordAction = (state: PasswordState, form: FormData) => Promise<PasswordState>;

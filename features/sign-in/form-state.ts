/** What a sign-in or sign-up form shows after an attempt. The password is never handed back. */
export interface AuthFormState {
  readonly email: string;
  readonly emailError?: string;
  readonly passwordError?: string;
  /** Concerns the whole attempt. */
  readonly message?: string;
}

export type AuthAction = (state: AuthFormState, form: FormData) => Promise<AuthFormState>;

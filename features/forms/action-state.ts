import type { RangeProblem } from "@/lib/access/allow-list";

/** The outcome of the last submission of a form, as its page shows it. */
export interface ActionState<Result = void, Values = unknown> {
  /** Whether the action was carried out. */
  readonly done: boolean;
  /** The reason of a refusal that concerns the whole form. */
  readonly error?: string;
  /** Whether it was refused because the caller was not confirmed, or not any more. */
  readonly isUnconfirmed?: boolean;
  /** The reasons of a refusal by the name of the field. */
  readonly errors?: Readonly<Record<string, string>>;
  /** The invalid lines of a list of addresses. */
  readonly problems?: readonly RangeProblem[];
  /** The values that were filled in, shown again after a refusal. Never a password. */
  readonly values?: Values;
  readonly result?: Result;
}

/** A server action with its ticket bound, as a form calls it. */
export type FormAction<Result = void, Values = unknown> = (
  state: ActionState<Result, Values>,
  form: FormData,
) => Promise<ActionState<Result, Values>>;

/** The state of a form before it is sent. */
export const UNSENT = { done: false } as const;

/** A refusal that is shown beside one field of the form. */
export class FieldError extends Error {
  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

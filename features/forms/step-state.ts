/** What came of something the operator did. */
export interface StepState {
  readonly done: boolean;
  readonly error?: string;
}

export type StepAction = (state: StepState, form: FormData) => Promise<StepState>;

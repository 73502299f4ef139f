/** What came of something done to a key. */
export interface KeyActionState {
  readonly done: boolean;
  readonly error?: string;
}

export type KeyAction = (state: KeyActionState, form: FormData) => Promise<KeyActionState>;

export type RotateState =
  | { readonly step: "asking"; readonly error?: string }
  | {
      readonly step: "created";
      readonly id: string;
      readonly label: string;
      /** Here and nowhere else, once. */
      readonly secret: string;
      readonly origin: string;
    };

export type RotateAction = (state: RotateState, form: FormData) => Promise<RotateState>;

import { PASSWORD, type People, type Person } from "@/e2e/process/form-people";

/** The account that a form changes, and the sender of the form: the same person or the operator. */
export interface Scene {
  readonly people: People;
  readonly target: Person;
  readonly keyId: string;
  readonly sender: Person;
  /** Values that are found while arranging, such as a code. */
  readonly found: Record<string, string>;
}

export interface Action {
  /** The name of the exported server action. */
  readonly action: string;
  /** The name of the test, where one function does several things. */
  readonly name?: string;
  readonly by: "owner" | "operator";
  /** Brings the target into the state that the action needs. */
  arrange?(scene: Scene): Promise<void>;
  path(scene: Scene): string;
  words(scene: Scene): RegExp;
  values?(scene: Scene): Readonly<Record<string, string>>;
  /** Its values are valid only in the session for which they were prepared. */
  readonly isForOneSession?: true;
  /** The event in the audit log; null if there is none. */
  readonly event: string | null;
}

export const getPassword = () => ({ password: PASSWORD });
export const toKeyPage = ({ keyId }: Scene) => `/keys/${keyId}`;
export const atPath = (path: string) => () => path;
export const matching = (words: RegExp) => () => words;

export async function disable(scene: Scene): Promise<void> {
  await scene.target.browser.submit(toKeyPage(scene), /Disable key/, {});
}

export async function askForPro({ browser }: Person): Promise<void> {
  await browser.submit("/plan", /Request plan/, { plan: "pro" });
}

export async function revoke(scene: Scene): Promise<void> {
  await scene.target.browser.submit(toKeyPage(scene), /Revoke key/, getPassword());
}

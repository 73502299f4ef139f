import { PASSWORD, type People, type Person } from "@/e2e/process/form-people";

/** Whom a form is about, and whoever sends it: the same person, or the operator. */
export interface Scene {
  readonly people: People;
  readonly target: Person;
  readonly keyId: string;
  readonly sender: Person;
  /** Values that only this scene knows, such as a code. */
  readonly found: Record<string, string>;
}

export interface Action {
  /** The function that Next calls. */
  readonly action: string;
  /** What it does, where one function does several things. */
  readonly name?: string;
  readonly by: "owner" | "operator";
  /** Brings the target to where this can be done. */
  arrange?(scene: Scene): Promise<void>;
  path(scene: Scene): string;
  words(scene: Scene): RegExp;
  values?(scene: Scene): Readonly<Record<string, string>>;
  /** What the audit log calls it; null where it is nothing for the log. */
  readonly event: string | null;
}

export const password = () => ({ password: PASSWORD });
export const keyPage = ({ keyId }: Scene) => `/keys/${keyId}`;
export const at = (path: string) => () => path;
export const says = (words: RegExp) => () => words;

export async function disable(scene: Scene): Promise<void> {
  await scene.target.browser.submit(keyPage(scene), /Disable key/, {});
}

export async function revoke(scene: Scene): Promise<void> {
  await scene.target.browser.submit(keyPage(scene), /Revoke key/, password());
}

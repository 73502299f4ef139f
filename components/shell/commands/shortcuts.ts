import { pageGroups } from "@/components/shell/pages";

/** How long the second key may take. */
export const SEQUENCE_MS = 1_500;

/** The pages by the key that follows G. */
export const GO_KEYS: ReadonlyMap<string, string> = new Map(
  pageGroups.flatMap(({ pages }) => pages.flatMap(({ goKey, href }) => (goKey === undefined ? [] : [[goKey, href]]))),
);

export type Stroke = { readonly do: "palette" | "help" | "wait" } | { readonly go: string } | null;

interface Pressed {
  readonly key: string;
  readonly hasCommand: boolean;
  readonly hasAlt: boolean;
  /** Whether the focus is where text is typed. */
  readonly isTyping: boolean;
}

/**
 * What a key does. `isSecond`: it follows G. `areSingleOn`: whether keys without Ctrl or ⌘ are shortcuts, which a visitor
 * can switch off.
 */
export function readStroke(pressed: Pressed, isSecond: boolean, areSingleOn: boolean): Stroke {
  const { key, hasCommand, hasAlt, isTyping } = pressed;
  if (isTyping || hasAlt) return null;
  if (hasCommand) return key.toLowerCase() === "k" ? { do: "palette" } : null;
  if (!areSingleOn) return null;
  if (isSecond) {
    const href = GO_KEYS.get(key.toLowerCase());
    return href === undefined ? null : { go: href };
  }
  if (key === "?") return { do: "help" };
  return key === "g" ? { do: "wait" } : null;
}

const SWITCH = "spotline-single-keys";

/** Whether single keys are shortcuts in this browser. */
export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(SWITCH) !== "off";
  } catch {
    return true;
  }
}

export function switchSingleKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(SWITCH);
    else localStorage.setItem(SWITCH, "off");
  } catch {
    // Without storage the choice lasts until the page closes.
  }
}

"use client";

import { Monitor, Moon, Sun } from "lucide-react";
import { type ReactNode, useSyncExternalStore } from "react";
import { storeCookie } from "@/components/ui/cookie";
import { isPalette, isTheme, type Palette, PALETTE_COOKIE, type Theme, THEME_COOKIE } from "@/components/ui/theme";

interface Choice<Value> {
  readonly value: Value;
  readonly label: string;
  readonly icon: ReactNode;
}

const THEMES: readonly Choice<Theme>[] = [
  { value: "dark", label: "Dark", icon: <Moon aria-hidden size={14} strokeWidth={1.75} /> },
  { value: "light", label: "Light", icon: <Sun aria-hidden size={14} strokeWidth={1.75} /> },
  { value: "system", label: "System", icon: <Monitor aria-hidden size={14} strokeWidth={1.75} /> },
];

const PALETTES: readonly Choice<Palette>[] = [
  { value: "green-red", label: "Green and red", icon: <Swatch palette="green-red" /> },
  { value: "blue-orange", label: "Blue and orange", icon: <Swatch palette="blue-orange" /> },
];

/** Three themes as one radio group. A cookie stores the choice, so that the server renders it on the next visit. */
export function ThemeSwitch({ initial, name }: { initial: Theme; name: string }) {
  return <Switch legend="Theme" name={name} choices={THEMES} value={useTheme(initial)} onChoose={chooseTheme} />;
}

/** The colours of rising and falling prices, stored like the theme. */
export function PaletteSwitch({ initial, name }: { initial: Palette; name: string }) {
  return (
    <Switch
      legend="Colours of prices"
      name={name}
      choices={PALETTES}
      value={usePalette(initial)}
      onChoose={choosePalette}
    />
  );
}

/** The two colours of a palette, whichever is chosen. */
function Swatch({ palette }: { palette: Palette }) {
  return (
    <span aria-hidden data-palette={palette} className="flex gap-0.5">
      <span className="arrow-up size-2 bg-up" />
      <span className="arrow-down size-2 bg-down" />
    </span>
  );
}

interface SwitchProps<Value extends string> {
  legend: string;
  name: string;
  choices: readonly Choice<Value>[];
  value: Value;
  onChoose: (value: Value) => void;
}

function Switch<Value extends string>({ legend, name, choices, value: chosen, onChoose }: SwitchProps<Value>) {
  return (
    <fieldset className="inline-flex w-fit justify-self-end rounded-md border border-line bg-bg p-0.5">
      <legend className="sr-only">{legend}</legend>
      {choices.map(({ value, label, icon }) => (
        <label
          key={value}
          title={label}
          className="grid h-7 min-w-7 place-items-center rounded-sm px-1.5 text-faint hover:text-ink has-checked:bg-raised has-checked:text-ink has-checked:shadow-[0_0_0_1px_var(--line)] has-focus-visible:outline-2 has-focus-visible:outline-accent-ink"
        >
          <input
            type="radio"
            name={name}
            value={value}
            checked={chosen === value}
            onChange={() => onChoose(value)}
            className="sr-only"
          />
          {icon}
          <span className="sr-only">{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** The look of the page: attributes of its root, and cookies with which the server renders the next visit. */

type Attribute = "theme" | "palette";

const listeners = new Set<() => void>();

function choose(attribute: Attribute, cookie: string, value: string): void {
  document.documentElement.dataset[attribute] = value;
  storeCookie(cookie, value);
  for (const listener of listeners) listener();
}

export const chooseTheme = (theme: Theme): void => choose("theme", THEME_COOKIE, theme);
export const choosePalette = (palette: Palette): void => choose("palette", PALETTE_COOKIE, palette);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function useAttribute(attribute: Attribute, initial: string): string | undefined {
  return useSyncExternalStore(
    subscribe,
    () => document.documentElement.dataset[attribute],
    () => initial,
  );
}

/** The theme of the page. `initial` is the server's. */
function useTheme(initial: Theme): Theme {
  const theme = useAttribute("theme", initial);
  return isTheme(theme) ? theme : initial;
}

/** The colours of prices on the page. `initial` is the server's. */
function usePalette(initial: Palette): Palette {
  const palette = useAttribute("palette", initial);
  return isPalette(palette) ? palette : initial;
}

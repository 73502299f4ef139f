"use client";

import { Monitor, Moon, Sun } from "lucide-react";
import { useState } from "react";
import { type Theme, THEME_COOKIE } from "@/components/ui/theme";
import { DAY_MS, SECOND_MS } from "@/lib/time/units";

const CHOICES = [
  { theme: "dark", label: "Dark", Icon: Moon },
  { theme: "light", label: "Light", Icon: Sun },
  { theme: "system", label: "System", Icon: Monitor },
] as const;

const YEAR_S = 365 * (DAY_MS / SECOND_MS);

function storeTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  document.cookie = `${THEME_COOKIE}=${theme}; path=/; max-age=${YEAR_S}; samesite=lax`;
}

/** Three themes as one radio group. A cookie stores the choice, so that the server renders it on the next visit. */
export function ThemeSwitch({ initial, name }: { initial: Theme; name: string }) {
  const [theme, setTheme] = useState(initial);
  return (
    <fieldset className="inline-flex rounded-md border border-line bg-bg p-0.5">
      <legend className="sr-only">Theme</legend>
      {CHOICES.map(({ theme: value, label, Icon }) => (
        <label
          key={value}
          title={label}
          className="grid size-7 place-items-center rounded-sm text-faint hover:text-ink has-checked:bg-raised has-checked:text-ink has-checked:shadow-[0_0_0_1px_var(--line)] has-focus-visible:outline-2 has-focus-visible:outline-accent-ink"
        >
          <input
            type="radio"
            name={name}
            value={value}
            checked={theme === value}
            onChange={() => {
              setTheme(value);
              storeTheme(value);
            }}
            className="sr-only"
          />
          <Icon aria-hidden size={14} strokeWidth={1.75} />
          <span className="sr-only">{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

import { AlarmClock, Contrast, Keyboard, KeyRound, Monitor, Moon, Palette, Sun } from "lucide-react";
import type { Command } from "@/components/shell/commands/command";
import { showCommandDialog } from "@/components/shell/commands/command-store";
import { choosePalette, chooseTheme } from "@/components/ui/theme-store";

/** The commands that are no page and no symbol. */
export const ACTIONS: readonly Command[] = [
  {
    id: "create-alert",
    label: "Create alert",
    Icon: AlarmClock,
    href: "/alerts?kind=price",
    words: "new price notification webhook",
  },
  { id: "create-key", label: "Create key", Icon: KeyRound, href: "/keys/new", words: "new api secret" },
  { id: "dark", label: "Dark theme", Icon: Moon, run: () => chooseTheme("dark") },
  { id: "light", label: "Light theme", Icon: Sun, run: () => chooseTheme("light") },
  { id: "system", label: "Theme of the device", Icon: Monitor, run: () => chooseTheme("system"), words: "system" },
  {
    id: "blue-orange",
    label: "Blue and orange prices",
    Icon: Contrast,
    run: () => choosePalette("blue-orange"),
    words: "colour blind palette",
  },
  {
    id: "green-red",
    label: "Green and red prices",
    Icon: Palette,
    run: () => choosePalette("green-red"),
    words: "colour palette",
  },
  { id: "help", label: "Keyboard shortcuts", note: "?", Icon: Keyboard, run: () => showCommandDialog("help") },
];

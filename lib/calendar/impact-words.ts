import type { Impact } from "@/lib/calendar/event";

const WORDS: Readonly<Record<string, Impact>> = {
  ...{ high: "high", red: "high", "3": "high" },
  ...{ medium: "medium", moderate: "medium", orange: "medium", "2": "medium" },
  // Holidays move no price by themselves; their title says what they are.
  ...{ low: "low", yellow: "low", "1": "low", none: "low", "0": "low" },
  ...{ holiday: "low", gray: "low", grey: "low", "non-economic": "low" },
};

/** Reads a source's word for how much a release matters: "Moderate", "red", "High Impact Expected". Null for others. */
export function parseImpact(word: string): Impact | null {
  const plain = word.trim().toLowerCase();
  return WORDS[plain] ?? WORDS[plain.split(/\s/)[0] ?? ""] ?? null;
}

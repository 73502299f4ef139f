import type { Impact } from "@/lib/calendar/event";

const WORDS: Readonly<Record<string, Impact>> = {
  high: "high",
  red: "high",
  "3": "high",
  medium: "medium",
  moderate: "medium",
  orange: "medium",
  "2": "medium",
  low: "low",
  yellow: "low",
  "1": "low",
  none: "low",
  "0": "low",
  // Holidays alone move no price.
  holiday: "low",
  gray: "low",
  grey: "low",
  "non-economic": "low",
};

/** Reads a source's word for the impact: "Moderate", "red", "High Impact Expected". Null for any other word. */
export function parseImpact(word: string): Impact | null {
  const plain = word.trim().toLowerCase();
  return WORDS[plain] ?? WORDS[plain.split(/\s/)[0] ?? ""] ?? null;
}

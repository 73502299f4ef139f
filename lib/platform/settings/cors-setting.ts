import * as z from "zod";

/** The origins whose pages may call the API, or `*` for all. */
export type CorsOrigins = ReadonlySet<string> | "*";

/** "https://app.example.com, http://localhost:5173", or "*"; null for none. */
export const corsSetting = z.string().transform((text, context): CorsOrigins | null => {
  const entries = text.split(/[\s,]+/).filter(Boolean);
  if (entries.length === 0) return null;
  if (entries.includes("*")) return "*";
  const origins = entries.map((entry) => readOrigin(entry));
  const wrong = entries.find((_, at) => origins[at] === null);
  if (wrong !== undefined) {
    const message = `must be * or origins like https://app.example.com; ${JSON.stringify(wrong)} is not`;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  }
  return new Set(origins.filter((origin) => origin !== null));
});

/** The origin as browsers send it; null for an address with a path, and for what is none. */
export function readOrigin(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.host.includes("*")) return null;
  return url.href === `${url.origin}/` ? url.origin : null;
}

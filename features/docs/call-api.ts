import type { TriedCall } from "@/features/docs/types";

/** What came of a call that the reader tried. */
export interface CallResult {
  /** "200 · 12 ms", or why there was no answer. */
  readonly summary: string;
  /** The headers that say something about the data and the limits. */
  readonly headers: string;
  readonly body: string;
}

/** Characters of an answer that the page shows. */
const MAX_SHOWN = 50_000;

/** Formats path and query of a call; empty parameters are left out. */
export function formatTriedTarget({ path, parameters }: TriedCall, values: ReadonlyMap<string, string>): string {
  const search = new URLSearchParams();
  let target = path;
  for (const { name, place } of parameters) {
    const value = values.get(name) ?? "";
    if (place === "path") target = target.replace(`{${name}}`, () => encodeURIComponent(value));
    else if (value !== "") search.set(name, value);
  }
  return search.size === 0 ? target : `${target}?${search}`;
}

/** Makes a call on this site. Never rejects. `body` is null for calls without one. */
export async function callApi(
  call: TriedCall,
  key: string,
  values: ReadonlyMap<string, string>,
  body: string | null,
): Promise<CallResult> {
  const startedAtMs = performance.now();
  try {
    const response = await fetch(formatTriedTarget(call, values), {
      method: call.method,
      headers: {
        ...(call.needsKey ? { "X-API-Key": key.trim() } : {}),
        ...(body === null ? {} : { "Content-Type": "application/json" }),
      },
      body,
      credentials: "omit",
      cache: "no-store",
    });
    const text = await response.text();
    const ms = Math.round(performance.now() - startedAtMs);
    const headers = [...response.headers].filter(([name]) => /^(x-(?!content)|retry-after|ratelimit)/.test(name));
    return {
      summary: `${response.status} · ${ms} ms`,
      headers: headers.map(([name, value]) => `${name}: ${value}`).join("\n"),
      body: formatBody(text),
    };
  } catch {
    return {
      summary: "There was no answer. Is the server reachable, and the key made of plain characters?",
      headers: "",
      body: "",
    };
  }
}

function formatBody(text: string): string {
  let shown = text;
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // CSV and calendar feeds are shown as they are.
  }
  return shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}\n…` : shown;
}

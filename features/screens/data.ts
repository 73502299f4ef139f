import { inflateRawSync } from "node:zlib";
import { READY_SCREENS } from "@/features/screens/ready-screens";
import type { ScreenViewProps } from "@/features/screens/screen-view";
import { isDemoAccount } from "@/features/session/viewer";
import { isAccessError } from "@/lib/access/access-error";
import type { Account } from "@/lib/access/accounts/account";
import { mayRead } from "@/lib/access/plans";
import { checkContent, checkName, type Screen } from "@/lib/access/screens/screen";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Runtime } from "@/lib/runtime";
import { HOUR_MS } from "@/lib/time/units";

type Shown = Pick<ScreenViewProps, "screen" | "preview">;

/** Reads what a page shows beside the screen itself. */
export async function readScreenView(
  runtime: Runtime,
  account: Account,
  shown: Shown,
  isAlone: boolean,
): Promise<ScreenViewProps> {
  const hasAccount = !isDemoAccount(account);
  return {
    ...shown,
    screens: hasAccount ? await runtime.screens.list(account.id) : [],
    viewer: { hasAccount, hasCalendar: mayRead(account, "calendar") },
    modes: [...new Set(runtime.listSources().map(({ mode }) => mode))],
    isDated: Math.abs(runtime.now() - runtime.marketNow()) > HOUR_MS,
    isAlone,
  };
}

/** Finds the screen that an address shows without keeping it: a shared or a ready-made one; null if it is none. */
export function findPreview(search: URLSearchParams): Shown | null {
  const layout = search.get("layout");
  if (layout !== null) {
    const shared = decodeScreen(layout);
    return shared && { screen: { id: null, revision: 0, ...shared }, preview: "shared" };
  }
  const ready = READY_SCREENS.find(({ slug }) => slug === search.get("ready"));
  if (ready === undefined) return null;
  return { screen: { id: null, revision: 0, name: ready.name, content: ready.content }, preview: "ready" };
}

export const toOwn = (screen: Screen): Shown => ({ screen, preview: null });

/** Far more than the largest screen, as text and unpacked. */
const MOST_CHARACTERS = 8_192;
const MOST_BYTES = 65_536;

/**
 * Reads the screen that a shared address contains, as `encodeScreen` writes it: null if it is damaged, too large, or not
 * valid. Anyone can write such an address, so it is checked like a screen that is saved.
 */
export function decodeScreen(text: string): Pick<Screen, "name" | "content"> | null {
  if (text.length > MOST_CHARACTERS || !/^[\w-]+$/.test(text)) return null;
  try {
    const packed = Buffer.from(text, "base64url");
    const json = inflateRawSync(packed, { maxOutputLength: MOST_BYTES }).toString("utf8");
    const { name, content } = JSON.parse(json) as Record<string, unknown>;
    return { name: checkName(name), content: checkContent(content, (symbol) => instrumentBySymbol.has(symbol)) };
  } catch (error) {
    if (isAccessError(error) || error instanceof SyntaxError || error instanceof TypeError || isZlibError(error))
      return null;
    throw error;
  }
}

function isZlibError(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return typeof code === "string" && (code.startsWith("Z_") || code === "ERR_BUFFER_TOO_LARGE");
}

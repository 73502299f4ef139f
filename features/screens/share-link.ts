import { toShared } from "@/features/screens/screen-changes";
import type { Screen } from "@/lib/access/screens/screen";

/** Writes the address that shows a copy of a screen to anyone who can sign in: its content is in the address itself. */
export async function toSharedHref({ name, content }: Pick<Screen, "name" | "content">): Promise<string> {
  return `/screens?layout=${await encodeScreen({ name, content: toShared(content) })}`;
}

/** Packs a screen as text for an address. */
export async function encodeScreen(screen: Pick<Screen, "name" | "content">): Promise<string> {
  const json = new Blob([JSON.stringify(screen)]).stream();
  const packed = await new Response(json.pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer();
  const text = btoa(String.fromCharCode(...new Uint8Array(packed)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

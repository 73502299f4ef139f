import { readApiOrigin } from "@/features/session/visitor";
import type { SignedIds } from "@/lib/access/keys/signed-ids";
import type { Link } from "@/lib/access/links";
import { CSV_LINK_PATH } from "@/lib/api/links";
import { UDF_PATH } from "@/lib/api/udf/udf-endpoint";
import type { Runtime } from "@/lib/runtime";

/** A link with its address. */
export type ShownLink = Link & { readonly url: string };

/** What a link can open, for a choice. */
export interface LinkTarget {
  readonly path: string;
  readonly name: string;
}

export function listLinkTargets({ tableEndpoints }: Pick<Runtime, "tableEndpoints">): LinkTarget[] {
  const tables = tableEndpoints.map(({ path }) => ({ path, name: `Table ${path}` }));
  return [...tables, { path: UDF_PATH, name: "Charts (UDF)" }];
}

/** The links of a key. The caller has checked that the key is the visitor's. */
export async function readLinks(
  { links, linkTokens }: Pick<Runtime, "links" | "linkTokens">,
  keyId: string,
): Promise<ShownLink[]> {
  const origin = await readApiOrigin();
  return (await links.list(keyId)).map((link) => ({ ...link, url: formatLinkUrl(link, linkTokens, origin) }));
}

/** Returns the address of a link. `origin` is that of the API: "https://prices.example.com". */
export function formatLinkUrl({ id, path }: Pick<Link, "id" | "path">, tokens: SignedIds, origin: string): string {
  const token = tokens.createToken(id);
  return origin + (path === UDF_PATH ? `${UDF_PATH}/${token}` : CSV_LINK_PATH.replace("{link}", token));
}

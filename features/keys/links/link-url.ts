import type { SignedIds } from "@/lib/access/keys/signed-ids";
import type { Link } from "@/lib/access/links";
import { CSV_LINK_PATH } from "@/lib/api/links";
import { UDF_PATH } from "@/lib/api/udf/udf";

/** Returns the address of a link. `origin` is that of the API: "https://prices.example.com". */
export function formatLinkUrl({ id, path }: Pick<Link, "id" | "path">, tokens: SignedIds, origin: string): string {
  const token = tokens.createToken(id);
  return origin + (path === UDF_PATH ? `${UDF_PATH}/${token}` : CSV_LINK_PATH.replace("{link}", token));
}

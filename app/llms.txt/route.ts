import { TEXT_CACHING, writePageList } from "@/features/docs/data";
import { readApiOrigin } from "@/features/session/visitor";

/** The pages of the documentation, for programs that read them. */
export async function GET(): Promise<Response> {
  return new Response(writePageList(await readApiOrigin()), {
    headers: { "Content-Type": "text/plain; charset=utf-8", ...TEXT_CACHING },
  });
}

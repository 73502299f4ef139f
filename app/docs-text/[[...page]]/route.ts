import { readDocsMarkdown, TEXT_CACHING } from "@/features/docs/data";
import { findDocsPage } from "@/features/docs/pages";
import { readApiOrigin } from "@/features/session/visitor";

interface TextContext {
  params: Promise<{ page?: string[] }>;
}

/** A page of the documentation as Markdown; next.config.mjs sends addresses such as /docs/errors.md here. */
export async function GET(_request: Request, { params }: TextContext): Promise<Response> {
  const { page: names = [] } = await params;
  const page = findDocsPage(["/docs", ...names].join("/"));
  if (page === null) return new Response("There is no such page.\n", { status: 404 });
  return new Response(readDocsMarkdown(page, await readApiOrigin()), {
    headers: { "Content-Type": "text/markdown; charset=utf-8", ...TEXT_CACHING },
  });
}

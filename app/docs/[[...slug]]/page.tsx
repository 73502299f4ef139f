import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { readTheme } from "@/components/shell/read-look";
import { readDocsHtml } from "@/features/docs/data";
import { DocsPageView } from "@/features/docs/docs-page";
import { findDocsPage } from "@/features/docs/pages";
import { readApiOrigin } from "@/features/session/visitor";

interface DocsProps {
  params: Promise<{ slug?: string[] }>;
}

async function findPage({ params }: DocsProps) {
  const { slug = [] } = await params;
  return findDocsPage(["/docs", ...slug].join("/"));
}

export async function generateMetadata(props: DocsProps): Promise<Metadata> {
  const page = await findPage(props);
  return page === null ? {} : { title: `${page.title} · Documentation`, description: page.description };
}

/** The documentation of the API, for anyone. */
export default async function DocsPage(props: DocsProps) {
  const page = await findPage(props);
  if (page === null) notFound();
  return <DocsPageView page={page} html={readDocsHtml(page, await readApiOrigin())} theme={await readTheme()} />;
}

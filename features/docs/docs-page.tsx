import { Wordmark } from "@/components/shell/wordmark";
import { getButtonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import type { Theme } from "@/components/ui/theme";
import { ThemeSwitch } from "@/components/ui/theme-switch";
import { CopyCode } from "@/features/docs/copy-code";
import { DOCS_SECTIONS, type DocsPage } from "@/features/docs/pages";
import { listTries } from "@/features/docs/tries";
import { TryIt } from "@/features/docs/try-it";

interface DocsPageViewProps {
  page: DocsPage;
  /** Its content, which we wrote ourselves. */
  html: string;
  theme: Theme;
}

/** A page of the documentation, for anyone. Links are plain: a page needs no script but for the form that tries a call. */
export function DocsPageView({ page, html, theme }: DocsPageViewProps) {
  return (
    <div className="mx-auto max-w-[82rem] px-6 max-md:px-4">
      <header className="flex min-h-16 flex-wrap items-center gap-x-3 gap-y-1 border-b py-2 border-line">
        <Link href="/" aria-label="Spotline, first page" className="inline-flex">
          <Wordmark />
        </Link>
        <Link href="/docs" className="text-dim hover:text-ink">
          Documentation
        </Link>
        <div className="ml-auto flex items-center gap-1">
          <Link href="/sign-in" className={`${getButtonClass("quiet", "sm")} max-sm:hidden`}>
            Dashboard
          </Link>
          <ThemeSwitch initial={theme} name="docs-theme" />
        </div>
      </header>
      <div className="grid grid-cols-[15rem_minmax(0,1fr)] gap-x-12 max-lg:grid-cols-1">
        <nav aria-label="Documentation" className="py-6 max-lg:hidden">
          <Contents page={page} />
        </nav>
        <details className="border-b border-line py-3 lg:hidden">
          <summary className="py-1 font-medium">Contents</summary>
          <nav aria-label="Contents" className="pt-2 pb-1">
            <Contents page={page} />
          </nav>
        </details>
        <main id="content" className="min-w-0 py-8 pb-16 max-md:py-6">
          <article dangerouslySetInnerHTML={{ __html: html }} />
          <CopyCode />
          {listTries(page.endpoints).map((call) => (
            <TryIt key={call.method + call.path} call={call} />
          ))}
          <p className="mt-12 border-t border-line pt-4 text-xs13 text-dim">
            <a href={`${page.href}.md`} className="text-accent-ink underline underline-offset-[3px]">
              This page as Markdown
            </a>
          </p>
        </main>
      </div>
    </div>
  );
}

function Contents({ page }: { page: DocsPage }) {
  return (
    <div className="grid gap-5">
      {DOCS_SECTIONS.map(({ title, pages }) => (
        <div key={title}>
          <p className="text-xs12 font-medium text-faint">{title}</p>
          <ul className="mt-1.5 grid">
            {pages.map(({ href, title: name }) => (
              <li key={href}>
                <a
                  href={href}
                  aria-current={href === page.href ? "page" : undefined}
                  className={`-mx-2 block rounded-sm px-2 py-1 text-xs13 break-words hover:bg-hover max-lg:py-2 ${href === page.href ? "bg-hover text-ink" : "text-dim"}`}
                >
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

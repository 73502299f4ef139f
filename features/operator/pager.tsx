import { getButtonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";

interface PagerProps {
  page: number;
  pages: number;
  path: string;
  /** The filter, repeated in the links. */
  query: Readonly<Record<string, string | undefined>>;
}

/** Links to the other pages of a long list. */
export function Pager({ page, pages, path, query }: PagerProps) {
  if (pages <= 1 && page === 1) return null;
  const to = (other: number) => {
    const params = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]);
    return `${path}?${new URLSearchParams([...params, ["page", String(other)]])}`;
  };
  return (
    <nav aria-label="Pages" className="flex items-center gap-3 px-4 py-4 text-xs13">
      {page > 1 && (
        <Link href={to(Math.min(page - 1, Math.max(1, pages)))} className={getButtonClass("secondary", "sm")}>
          Newer
        </Link>
      )}
      <span className="numerals text-dim">
        Page {page} of {pages}
      </span>
      {page < pages && (
        <Link href={to(page + 1)} className={getButtonClass("secondary", "sm")}>
          Older
        </Link>
      )}
    </nav>
  );
}

/** A bar in place of text that loads. Decoration only: the page has a text "loading" elsewhere. */
export function Skeleton({ className = "" }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={`block rounded-sm bg-line motion-safe:animate-[breathe_1.6s_ease-in-out_infinite] ${className}`}
    />
  );
}

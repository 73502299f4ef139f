/** The mark: an ask line, a bid line, and the spot between them. */
function Mark({ size = 20 }: { size?: number }) {
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} fill="none" aria-hidden>
      <path d="M2.5 6.5h19M2.5 17.5h19" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      <circle cx="15.5" cy="12" r="3" fill="var(--accent)" />
    </svg>
  );
}

export function Wordmark() {
  return (
    <span className="inline-flex items-center gap-2 text-ink">
      <Mark />
      <span translate="no" className="text-[0.9375rem] font-semibold tracking-[-0.025em]">
        Spotline
      </span>
    </span>
  );
}

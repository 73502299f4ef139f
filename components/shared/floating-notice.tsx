import { type LucideIcon, X } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";

interface FloatingNoticeProps {
  Icon: LucideIcon;
  /** What happened. It leads to `href`. */
  title: ReactNode;
  href: string;
  closeLabel: string;
  onClose: () => void;
  /** Whether its edge stands out. */
  isEmphasised?: boolean;
  children: ReactNode;
}

/** A notice above the page that stays until it is closed. */
export function FloatingNotice({
  Icon,
  title,
  href,
  closeLabel,
  onClose,
  isEmphasised,
  children,
}: FloatingNoticeProps) {
  return (
    <div
      className={`pointer-events-auto flex items-start gap-2.5 rounded-md border bg-raised p-3 shadow-float motion-safe:animate-[rise_160ms_ease-out] ${isEmphasised === true ? "border-accent-ink" : "border-edge"}`}
    >
      <Icon aria-hidden size={16} className="mt-0.5 flex-none text-accent-ink" />
      <div className="min-w-0 flex-1 text-xs13">
        <Link href={href} className="font-medium [overflow-wrap:anywhere] hover:underline">
          {title}
        </Link>
        <p className="text-dim [overflow-wrap:anywhere]">{children}</p>
      </div>
      <button
        type="button"
        aria-label={closeLabel}
        onClick={onClose}
        className="grid size-7 flex-none place-items-center rounded-md text-faint hover:bg-hover hover:text-ink"
      >
        <X aria-hidden size={14} />
      </button>
    </div>
  );
}

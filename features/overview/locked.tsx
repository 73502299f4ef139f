import { LockKeyhole } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";

interface LockedProps {
  /** The plans that include the data: "Starter and Pro". */
  plans: string;
  /** What would be shown. */
  children: ReactNode;
}

/** A part that the member's plan does not include. */
export function Locked({ plans, children }: LockedProps) {
  return (
    <div className="grid min-h-40 grid-cols-[auto_minmax(0,28rem)] content-center justify-center gap-x-3 rounded-md border border-dashed border-edge p-4 text-xs13">
      <LockKeyhole aria-hidden size={16} strokeWidth={1.75} className="mt-0.5 text-faint" />
      <div>
        <p className="text-dim">{children}</p>
        <p className="mt-1.5">
          Included in {plans}.{" "}
          <Link href="/plan" className="text-accent-ink underline underline-offset-4">
            Compare plans
          </Link>
        </p>
      </div>
    </div>
  );
}

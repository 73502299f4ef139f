import { ChevronLeft, ChevronRight } from "lucide-react";
import { Button } from "@/components/ui/button";

interface StepButtonProps {
  /** -1 for the previous, 1 for the next. */
  step: -1 | 1;
  /** The accessible name. */
  label: string;
  disabled?: boolean;
  onClick: () => void;
}

/** A button that shows the previous or the next period. */
export function StepButton({ step, label, ...rest }: StepButtonProps) {
  const Icon = step === -1 ? ChevronLeft : ChevronRight;
  return (
    <Button look="quiet" size="sm" aria-label={label} title={label} className="w-8 px-0!" {...rest}>
      <Icon aria-hidden size={16} />
    </Button>
  );
}

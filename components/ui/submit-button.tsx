"use client";

import { LoaderCircle } from "lucide-react";
import type { ReactNode } from "react";
import { useFormStatus } from "react-dom";
import { Button, type ButtonLook } from "@/components/ui/button";

interface SubmitButtonProps {
  children: ReactNode;
  look?: ButtonLook;
  size?: "md" | "sm";
  className?: string;
  /** For a form whose action is called by hand. Otherwise the form's own status is used. */
  pending?: boolean;
}

/** Submits its form once. While the form is pending it keeps its width and ignores further clicks. */
export function SubmitButton({
  children,
  look = "primary",
  size = "md",
  className,
  pending: pendingByHand,
}: SubmitButtonProps) {
  const status = useFormStatus();
  const pending = pendingByHand ?? status.pending;
  return (
    <Button
      type="submit"
      look={look}
      size={size}
      className={`relative ${className ?? ""}`}
      aria-disabled={pending}
      onClick={(event) => {
        if (pending) event.preventDefault();
      }}
    >
      <span className={pending ? "opacity-0" : ""}>{children}</span>
      {pending && (
        <span className="absolute inset-0 grid place-items-center">
          <LoaderCircle aria-hidden size={16} className="motion-safe:animate-spin" />
          <span className="sr-only">Please wait</span>
        </span>
      )}
    </Button>
  );
}

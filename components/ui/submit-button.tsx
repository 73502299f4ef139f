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
  /** For a form whose action is called by hand; otherwise the form itself knows. */
  pending?: boolean;
}

/** Submits its form once: while the answer is on its way it says so, keeps its width and takes no second click. */
export function SubmitButton({
  children,
  look = "primary",
  size = "md",
  className,
  pending: given,
}: SubmitButtonProps) {
  const status = useFormStatus();
  const pending = given ?? status.pending;
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

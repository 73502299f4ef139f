import type { ButtonHTMLAttributes } from "react";

const LOOKS = {
  primary: "bg-accent text-on-accent font-medium hover:bg-accent-hover",
  secondary: "border border-edge text-ink hover:bg-hover",
  quiet: "text-dim hover:bg-hover hover:text-ink",
  danger: "border border-down text-down hover:bg-hover",
} as const;

export type ButtonLook = keyof typeof LOOKS;

/** The classes of a button, for links that look like one. */
export function getButtonClass(look: ButtonLook, size: "md" | "sm" = "md"): string {
  const box = size === "md" ? "h-9 px-3.5" : "h-7 px-2.5 text-xs13";
  return `inline-flex items-center justify-center gap-1.5 rounded-md whitespace-nowrap select-none disabled:opacity-60 aria-disabled:opacity-60 ${box} ${LOOKS[look]}`;
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: ButtonLook;
  size?: "md" | "sm";
}

export function Button({ look = "secondary", size = "md", className = "", type = "button", ...rest }: ButtonProps) {
  return <button type={type} className={`${getButtonClass(look, size)} ${className}`} {...rest} />;
}

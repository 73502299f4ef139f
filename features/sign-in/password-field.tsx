"use client";

import { useState } from "react";
import { TextField } from "@/components/ui/field";

interface PasswordFieldProps {
  autoComplete: "current-password" | "new-password";
  minLength?: number;
  hint?: string;
  error?: string | undefined;
}

export function PasswordField({ autoComplete, minLength, hint, error }: PasswordFieldProps) {
  const [visible, setVisible] = useState(false);
  return (
    <TextField
      id="password"
      name="password"
      label="Password"
      type={visible ? "text" : "password"}
      autoComplete={autoComplete}
      required
      minLength={minLength}
      maxLength={200}
      hint={hint}
      error={error}
      aside={
        <button
          type="button"
          aria-pressed={visible}
          aria-controls="password"
          onClick={() => setVisible(!visible)}
          className="rounded-sm text-xs13 text-dim hover:text-ink"
        >
          {visible ? "Hide" : "Show"}
          <span className="sr-only"> password</span>
        </button>
      }
    />
  );
}

"use client";

import { useRef, useState } from "react";
import type { AddressProblem } from "@/components/keys/key-form-state";
import { Button } from "@/components/ui/button";
import { TextArea } from "@/components/ui/field";

interface AllowListFieldProps {
  value: string;
  onChange: (typed: string) => void;
  ownAddress: string | null;
  check: (typed: string) => Promise<readonly AddressProblem[]>;
  /** What the last attempt to create the key was refused for. */
  refused: readonly AddressProblem[];
  error: string | undefined;
}

/** Addresses the key may be used from. Lines are checked by the server on leaving the field, in its own words. */
export function AllowListField({ value, onChange, ownAddress, check, refused, error }: AllowListFieldProps) {
  const [checked, setChecked] = useState<{ typed: string; problems: readonly AddressProblem[] } | null>(null);
  const newest = useRef("");
  const problems = checked?.typed === value ? checked.problems : value === "" ? [] : refused;

  async function checkNow(typed: string): Promise<void> {
    newest.current = typed;
    if (typed.trim() === "") return setChecked({ typed, problems: [] });
    const found = await check(typed).catch(() => null);
    // Checking early is a courtesy: if it fails, the same check comes with the form.
    if (found !== null && newest.current === typed) setChecked({ typed, problems: found });
  }

  function addOwn(address: string): void {
    const lines = value.split("\n").map((line) => line.trim());
    if (lines.includes(address)) return;
    const typed = value.trim() === "" ? address : `${value.trimEnd()}\n${address}`;
    onChange(typed);
    void checkNow(typed);
  }

  return (
    <TextArea
      id="addresses"
      name="addresses"
      label="Allowed addresses"
      hint="One IPv4 or IPv6 address or CIDR range a line. Left empty, the key works from anywhere."
      rows={4}
      spellCheck={false}
      autoCapitalize="none"
      autoComplete="off"
      placeholder={"192.0.2.10\n198.51.100.0/24\n2001:db8::/32"}
      className="numerals text-[0.8125rem] leading-6"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onBlur={(event) => void checkNow(event.target.value)}
      error={
        problems.length > 0 ? (
          <ul className="grid gap-0.5">
            {problems.map(({ line, text, reason }) => (
              <li key={line}>
                Line {line}: <span className="numerals">{text}</span> {reason}.
              </li>
            ))}
          </ul>
        ) : (
          checked?.typed !== value && error
        )
      }
      aside={
        ownAddress !== null && (
          <Button size="sm" look="quiet" onClick={() => addOwn(ownAddress)} className="-my-1 -mr-2.5 text-accent-ink">
            Add my address <span className="numerals max-sm:hidden">({ownAddress})</span>
          </Button>
        )
      }
    />
  );
}

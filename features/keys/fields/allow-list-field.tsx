"use client";

import { useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { TextArea, TextField } from "@/components/ui/field";
import type { AddressReport, CheckAddresses } from "@/features/keys/types";
import type { RangeProblem } from "@/lib/access/allow-list";

interface AllowListFieldProps {
  value: string;
  onChange: (typed: string) => void;
  ownAddress: string | null;
  check: CheckAddresses;
  /** The problems for which saving the key was refused. */
  refused: readonly RangeProblem[];
  error: string | undefined;
}

/** The allow-list of a key. The server checks the lines when the field loses focus. */
export function AllowListField({ value, onChange, ownAddress, check, refused, error }: AllowListFieldProps) {
  const [checked, setChecked] = useState<{ typed: string; report: AddressReport } | null>(null);
  const [tried, setTried] = useState("");
  const newest = useRef("");
  const report = checked?.typed === value ? checked.report : null;
  const problems = report?.problems ?? (value === "" ? [] : refused);

  async function checkNow(typed: string): Promise<void> {
    newest.current = typed + tried;
    // A failed request is ignored: the same check runs when the form is sent.
    const found = await check(typed, tried).catch(() => null);
    if (found !== null && newest.current === typed + tried) setChecked({ typed, report: found });
  }

  function addOwn(address: string): void {
    const lines = value.split("\n").map((line) => line.trim());
    if (lines.some((line) => line.replace(/\/(32|128)$/, "") === address)) return;
    const typed = value.trim() === "" ? address : `${value.trimEnd()}\n${address}`;
    onChange(typed);
    void checkNow(typed);
  }

  return (
    <div className="grid gap-3">
      <TextArea
        id="addresses"
        name="addresses"
        label="Allowed addresses"
        hint="One IPv4 or IPv6 address or CIDR range per line. Leave empty to allow every address."
        rows={4}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        placeholder={"192.0.2.10\n198.51.100.0/24\n2001:db8::/32"}
        className="numerals text-xs13 leading-6"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onBlur={(event) => void checkNow(event.target.value)}
        error={problems.length > 0 ? <ProblemList problems={problems} /> : report === null && error}
        aside={
          ownAddress !== null && (
            <Button size="sm" look="quiet" onClick={() => addOwn(ownAddress)} className="-my-1 -mr-2.5 text-accent-ink">
              Add my address <span className="numerals max-sm:hidden">({ownAddress})</span>
            </Button>
          )
        }
      />
      <ul aria-live="polite" className="grid gap-0.5 text-xs13 text-warn empty:hidden">
        {report?.warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-2">
        <TextField
          id="tried"
          label="Test an address"
          placeholder="203.0.113.7"
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          className="numerals text-xs13"
          value={tried}
          onChange={(event) => setTried(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            // Enter in this field tests the address and must not save the form.
            event.preventDefault();
            void checkNow(value);
          }}
        />
        <Button className="h-10" onClick={() => void checkNow(value)}>
          Test{" "}
        </Button>
        <p aria-live="polite" className="col-span-2 text-xs13 text-dim empty:hidden">
          {report?.verdict}
        </p>
      </div>
    </div>
  );
}

function ProblemList({ problems }: { problems: readonly RangeProblem[] }) {
  return (
    <ul className="grid gap-0.5">
      {problems.map(({ line, text, reason }) => (
        <li key={line}>
          Line {line}: <span className="numerals">{text}</span> {reason}.
        </li>
      ))}
    </ul>
  );
}

"use client";

import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { CodeText } from "@/components/shared/code-text";
import { writeCurl } from "@/components/shared/write-curl";
import { getButtonClass } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Figure } from "@/components/ui/figure";
import { Link } from "@/components/ui/link";
import { StateDot } from "@/components/ui/state";
import type { CallMade, FirstSteps } from "@/features/overview/types";

const CURL = "overview-curl";

interface FirstRunProps {
  steps: FirstSteps;
  /** The origin of the API. */
  origin: string;
}

/** The way to a first call: a key, the call, and its arrival. */
export function FirstRun({ steps: { hasKey, call }, origin }: FirstRunProps) {
  const curl = writeCurl(`${origin}/v1/quote?symbol=EURUSD`, "YOUR_KEY");
  return (
    <section aria-labelledby="first-run" className="border-t border-line bg-panel px-4 py-4 max-md:px-3">
      <h2 id="first-run" className="font-semibold">
        Your first call in three steps
      </h2>
      <ol className="mt-3 grid grid-cols-[minmax(0,1fr)_minmax(0,1.6fr)_minmax(0,1fr)] gap-x-8 gap-y-5 max-lg:grid-cols-1">
        <Step number={1} title="Create a key" isDone={hasKey}>
          <p className="mb-2.5 text-dim">
            A key belongs to one program. It can be limited to endpoints, symbols and addresses.
          </p>
          <Link href="/keys/new" className={getButtonClass(hasKey ? "secondary" : "primary", "sm")}>
            {hasKey ? "Create another key" : "Create key"}
          </Link>
        </Step>
        <Step number={2} title="Copy the call" isDone={call !== null}>
          <div className="flex items-start gap-3">
            <Figure
              as="pre"
              id={CURL}
              tabIndex={0}
              aria-label="First call"
              className="min-w-0 flex-1 overflow-x-auto rounded-md border border-line bg-bg px-3 py-2 text-xs12 leading-5"
            >
              <CodeText language="sh">{curl}</CodeText>
            </Figure>
            <CopyButton text={curl} label="First call" selectId={CURL} />
          </div>
          <p className="mt-2 text-dim">Put your key in place of YOUR_KEY. It was shown once, when you created it.</p>
        </Step>
        <Step number={3} title="See it arrive" isDone={call !== null}>
          <div role="status">{call === null ? <Waiting hasKey={hasKey} /> : <Arrived call={call} />}</div>
        </Step>
      </ol>
    </section>
  );
}

interface StepProps {
  number: number;
  title: string;
  isDone: boolean;
  children: ReactNode;
}

function Step({ number, title, isDone, children }: StepProps) {
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-xs13">
      <span
        aria-hidden
        translate="no"
        className={`grid size-6 place-items-center rounded-full border text-xs12 tabular-nums ${isDone ? "border-up text-up" : "border-edge text-dim"}`}
      >
        {isDone ? <Check size={13} strokeWidth={2.25} /> : number}
      </span>
      <div className="min-w-0">
        <h3 className="mb-1.5 leading-6 font-medium">
          {title}
          {isDone && <span className="sr-only"> (done)</span>}
        </h3>
        {children}
      </div>
    </li>
  );
}

function Waiting({ hasKey }: { hasKey: boolean }) {
  return (
    <p className="flex items-baseline gap-2 text-dim">
      <StateDot look={hasKey ? "waiting" : "off"} />
      {hasKey ? "Waiting for the first call. It appears here within seconds." : "The first call appears here."}
    </p>
  );
}

function Arrived({ call: { atMs, endpoint, status } }: { call: CallMade }) {
  const isAnswered = status === null || status < 400;
  return (
    <>
      <p className={`font-medium ${isAnswered ? "text-up" : "text-warn"}`}>
        Your first call arrived at{" "}
        <Figure as="time" dateTime={new Date(atMs).toISOString()}>
          {new Date(atMs).toISOString().slice(11, 19)}
        </Figure>{" "}
        UTC
      </p>
      {endpoint !== null && (
        <p className="mt-1 text-dim">
          <code className="font-mono text-xs12 text-ink">{endpoint}</code>
          {status !== null && ` was answered with ${status}${isAnswered ? "." : ": the answer says why."}`}
        </p>
      )}
      <p className="mt-1.5">
        <Link href="/usage" className="text-accent-ink underline underline-offset-4">
          See all calls
        </Link>
      </p>
    </>
  );
}

"use client";

import { type SyntheticEvent, useId, useState, useSyncExternalStore } from "react";
import { Button } from "@/components/ui/button";
import { SelectField, TextArea, TextField } from "@/components/ui/field";
import { Figure } from "@/components/ui/figure";
import type { TriedCall, TriedParameter } from "@/features/docs/tries";

const subscribe = () => () => {};
const useHasScript = () =>
  useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );

/** A form that makes a call with the reader's own key, which is neither stored nor sent anywhere else. */
export function TryIt({ call }: { call: TriedCall }) {
  // Without its script a form would put what is typed into the address.
  const hasScript = useHasScript();
  const title = `Try ${call.method} ${call.path}`;
  return (
    <section className="mt-10 border-t border-line pt-6" aria-label={title}>
      <h2 className="text-lg/7 font-semibold tracking-[-0.01em] break-words">{title}</h2>
      {hasScript ? <TryForm call={call} /> : <p className="mt-3 text-dim">This form needs JavaScript.</p>}
    </section>
  );
}

function TryForm({ call }: { call: TriedCall }) {
  const id = useId();
  const [key, setKey] = useState("");
  const [values, setValues] = useState(() => new Map(call.parameters.map(({ name, value }) => [name, value])));
  const [body, setBody] = useState(call.body);
  const [result, setResult] = useState<CallResult | "waiting" | null>(null);

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    setResult("waiting");
    setResult(await callApi(call, key, values, body));
  }

  return (
    <form onSubmit={(event) => void submit(event)} className="mt-4 grid gap-4" autoComplete="off">
      <div className="grid max-w-[44rem] grid-cols-2 gap-4 max-md:grid-cols-1">
        {call.needsKey && (
          <TextField
            id={`${id}-key`}
            label="API key"
            hint="It is used for this call and not stored."
            type="password"
            autoComplete="off"
            spellCheck={false}
            required
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
        )}
        {call.parameters.map((parameter) => (
          <ParameterField
            key={parameter.name}
            id={`${id}-${parameter.name}`}
            parameter={parameter}
            value={values.get(parameter.name) ?? ""}
            onChange={(value) => setValues((before) => new Map(before).set(parameter.name, value))}
          />
        ))}
      </div>
      {body !== null && (
        <TextArea
          id={`${id}-body`}
          label="Body"
          className="numerals max-w-[44rem] text-xs13"
          rows={6}
          spellCheck={false}
          value={body}
          onChange={(event) => setBody(event.target.value)}
        />
      )}
      <div>
        <Button type="submit" look="primary" disabled={result === "waiting"}>
          Make the call
        </Button>
      </div>
      <div aria-live="polite">{result !== null && <Result result={result} />}</div>
    </form>
  );
}

interface ParameterFieldProps {
  id: string;
  parameter: TriedParameter;
  value: string;
  onChange: (value: string) => void;
}

function ParameterField({ id, parameter, value, onChange }: ParameterFieldProps) {
  const { name, isRequired, type, words } = parameter;
  if (words === null) {
    return (
      <TextField
        id={id}
        label={name}
        hint={type}
        required={isRequired}
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  }
  return (
    <SelectField
      id={id}
      label={name}
      required={isRequired}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {!isRequired && <option value="">not given</option>}
      {words.map((word) => (
        <option key={word} value={word} translate="no">
          {word}
        </option>
      ))}
    </SelectField>
  );
}

function Result({ result }: { result: CallResult | "waiting" }) {
  if (result === "waiting") return <p className="text-dim">Waiting for the answer</p>;
  const { summary, headers, body } = result;
  return (
    <>
      <p className="font-medium">{summary}</p>
      {[
        { label: "Headers of the answer", text: headers },
        { label: "Body of the answer", text: body },
      ].map(
        ({ label, text }) =>
          text !== "" && (
            <Figure
              as="pre"
              key={label}
              tabIndex={0}
              role="region"
              aria-label={label}
              className="mt-3 max-h-[32rem] overflow-auto rounded-md border border-line bg-raised p-3 text-xs12"
            >
              {text}
            </Figure>
          ),
      )}
    </>
  );
}

/** What came of a call that the reader tried. */
interface CallResult {
  /** "200 · 12 ms", or why there was no answer. */
  readonly summary: string;
  /** The headers that say something about the data and the limits. */
  readonly headers: string;
  readonly body: string;
}

/** Characters of an answer that the page shows. */
const MAX_SHOWN = 50_000;

/** Formats path and query of a call; empty parameters are left out. */
export function formatTriedTarget({ path, parameters }: TriedCall, values: ReadonlyMap<string, string>): string {
  const search = new URLSearchParams();
  let target = path;
  for (const { name, place } of parameters) {
    const value = values.get(name) ?? "";
    if (place === "path") target = target.replace(`{${name}}`, () => encodeURIComponent(value));
    else if (value !== "") search.set(name, value);
  }
  return search.size === 0 ? target : `${target}?${search}`;
}

/** Makes a call on this site. Never rejects. `body` is null for calls without one. */
async function callApi(
  call: TriedCall,
  key: string,
  values: ReadonlyMap<string, string>,
  body: string | null,
): Promise<CallResult> {
  const startedAtMs = performance.now();
  try {
    const response = await fetch(formatTriedTarget(call, values), {
      method: call.method,
      headers: {
        ...(call.needsKey ? { "X-API-Key": key.trim() } : {}),
        ...(body === null ? {} : { "Content-Type": "application/json" }),
      },
      body,
      credentials: "omit",
      cache: "no-store",
    });
    const text = await response.text();
    const ms = Math.round(performance.now() - startedAtMs);
    const headers = [...response.headers].filter(([name]) => /^(x-(?!content)|retry-after|ratelimit)/.test(name));
    return {
      summary: `${response.status} · ${ms} ms`,
      headers: headers.map(([name, value]) => `${name}: ${value}`).join("\n"),
      body: formatBody(text),
    };
  } catch {
    return {
      summary: "There was no answer. Is the server reachable, and the key made of plain characters?",
      headers: "",
      body: "",
    };
  }
}

function formatBody(text: string): string {
  let shown = text;
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // CSV and calendar feeds are shown as they are.
  }
  return shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}\n…` : shown;
}

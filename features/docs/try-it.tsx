"use client";

import { type SyntheticEvent, useId, useState, useSyncExternalStore } from "react";
import { Button } from "@/components/ui/button";
import { SelectField, TextArea, TextField } from "@/components/ui/field";
import { callApi, type CallResult } from "@/features/docs/call-api";
import type { TriedCall, TriedParameter } from "@/features/docs/types";

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
        <option key={word}>{word}</option>
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
            <pre
              key={label}
              tabIndex={0}
              role="region"
              aria-label={label}
              className="numerals mt-3 max-h-[32rem] overflow-auto rounded-md border border-line bg-raised p-3 text-xs12"
            >
              {text}
            </pre>
          ),
      )}
    </>
  );
}

"use client";

import { type ReactNode, useRef, useState } from "react";
import { CHECK_CLASS, RadioPill } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { TextArea, TextField } from "@/components/ui/field";
import { Figure } from "@/components/ui/figure";
import {
  type AddressReport,
  type CheckAddresses,
  type EndpointLine,
  EXPIRY_DAYS,
  type KeyFormValues,
  type KindTerms,
  type Lifetime,
  type ScopeGuide,
} from "@/features/keys/types";
import type { RangeProblem } from "@/lib/access/allow-list";
import { formatDays } from "@/lib/access/keys/key-life";
import type { KeyKind } from "@/lib/access/plans";
import type { Scope } from "@/lib/access/scopes";
import { CATEGORIES } from "@/lib/market/instrument";

export interface KeyFieldsSetup {
  checkAddresses: CheckAddresses;
  guides: readonly ScopeGuide[];
  /** The paths that a key can be limited to. */
  keyPaths: readonly string[];
  kinds: readonly KindTerms[];
  /** The visitor's address; null if it is unknown. */
  ownAddress: string | null;
  /** YYYY-MM-DD, UTC. */
  today: string;
  /** Null where the operator does not bound the life of keys. */
  lifetime: Lifetime | null;
  /** The key to edit. If omitted, the form creates a key. */
  edited?: EditedKey;
}

interface EditedKey {
  readonly id: string;
  readonly values: KeyFormValues;
  /** When it expires: "in 89 days". */
  readonly ends: string;
}

interface KeyFieldsProps extends KeyFieldsSetup {
  values: KeyFormValues;
  onChange: (changed: Partial<KeyFormValues>) => void;
  /** By the name of the field. */
  errors: Readonly<Record<string, string>>;
  /** The invalid lines of the allow-list. */
  problems: readonly RangeProblem[];
}

/** The settings of a key. */
export function KeyFields({ values, onChange, errors, problems, edited, ...setup }: KeyFieldsProps) {
  const { checkAddresses, guides, keyPaths, kinds, ownAddress, today, lifetime } = setup;
  return (
    <div className="grid gap-x-12 gap-y-7 2xl:grid-cols-2">
      <div className="grid content-start gap-7">
        <TextField
          id="label"
          name="label"
          label="Label"
          hint="Where the key will be used, such as “Pricing sheet, London desk”."
          autoComplete="off"
          maxLength={80}
          required
          value={values.label}
          onChange={(event) => onChange({ label: event.target.value })}
          error={errors.label}
        />
        {edited === undefined ? (
          <KindField kinds={kinds} value={values.kind} onChange={(kind) => onChange({ kind })} />
        ) : (
          <input type="hidden" name="id" value={edited.id} />
        )}
        <ScopesField
          guides={guides}
          value={values.scopes}
          onChange={(scopes) => onChange({ scopes })}
          error={errors.scopes}
        />
        <div className="grid gap-3">
          <EndpointsField
            paths={keyPaths}
            value={values.endpoints}
            onChange={(endpoints) => onChange({ endpoints })}
            error={errors.endpoints}
          />
          <SymbolsField values={values} onChange={onChange} error={errors.symbols} />
          <OriginsField value={values.origins} onChange={(origins) => onChange({ origins })} error={errors.origins} />
        </div>
      </div>
      <div className="grid content-start gap-7">
        <LimitsField
          terms={kinds.find(({ kind }) => kind === values.kind)}
          values={values}
          onChange={onChange}
          errors={errors}
        />
        <ExpiryField
          currently={edited?.ends}
          values={values}
          today={today}
          lifetime={lifetime}
          onChange={onChange}
          error={errors.expiry}
        />
        <AllowListField
          value={values.addresses}
          onChange={(addresses) => onChange({ addresses })}
          ownAddress={ownAddress}
          check={checkAddresses}
          refused={problems}
          error={errors.addresses}
        />
      </div>
    </div>
  );
}

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
function AllowListField({ value, onChange, ownAddress, check, refused, error }: AllowListFieldProps) {
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
              Add my address <Figure className="max-sm:hidden">({ownAddress})</Figure>
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
          Line {line}: <Figure>{text}</Figure> {reason}.
        </li>
      ))}
    </ul>
  );
}

interface EndpointsFieldProps {
  paths: readonly string[];
  value: readonly string[];
  onChange: (endpoints: readonly string[]) => void;
  error: string | undefined;
}

/** The only endpoints that the key may call. */
function EndpointsField({ paths, value, onChange, error }: EndpointsFieldProps) {
  return (
    <Restriction
      title="Only some endpoints"
      state={value.length === 0 ? "all that the scopes open" : `${value.length} chosen`}
      isRestricted={value.length > 0}
      hasError={error !== undefined}
    >
      <fieldset aria-describedby="endpoints-hint endpoints-error">
        <legend className="sr-only">The only endpoints that this key may call</legend>
        <div className="grid gap-x-4 sm:grid-cols-2">
          {paths.map((path) => (
            <Choice
              key={path}
              name="endpoints"
              option={path}
              chosen={value}
              onChange={onChange}
              className="numerals gap-2.5 text-xs12 leading-5"
            />
          ))}
        </div>
        <p id="endpoints-hint" className="mt-1.5 text-xs13 text-faint">
          Choose none to allow all. A chosen endpoint also needs its scope.
        </p>
        <div id="endpoints-error" aria-live="polite" className="text-xs13 text-down empty:hidden">
          {error}
        </div>
      </fieldset>
    </Restriction>
  );
}

const CHOICES = [
  ...EXPIRY_DAYS.map((days) => ({ value: String(days), label: `${days} days` })),
  { value: "never", label: "Never" },
  { value: "date", label: "On a date" },
];

const HINTS: Readonly<Record<string, string>> = {
  keep: "The expiry does not change.",
  never: "A leaked key that never expires can be used forever. Prefer a date where you can.",
  date: "The key works until the end of that day, UTC.",
};

/** Whether the operator lets a key end then. A day is checked when the form is sent. */
function isPossible(choice: string, lifetime: Lifetime | null): boolean {
  if (lifetime === null || choice === "date") return true;
  return choice !== "never" && Number(choice) <= lifetime.leftDays;
}

interface ExpiryFieldProps {
  /** When a key that is edited expires: "in 89 days". */
  currently?: string | undefined;
  values: Pick<KeyFormValues, "expiry" | "expiryDate">;
  today: string;
  lifetime: Lifetime | null;
  onChange: (change: Partial<KeyFormValues>) => void;
  error: string | undefined;
}

function ExpiryField({ currently, values, today, lifetime, onChange, error }: ExpiryFieldProps) {
  const keep = currently === undefined ? [] : [{ value: "keep", label: `Keep (${currently})` }];
  const all = [...keep, ...CHOICES.filter(({ value }) => isPossible(value, lifetime))];
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">Expires</legend>
      <div className="flex flex-wrap items-center gap-1.5">
        {all.map(({ value, label }) => (
          <RadioPill
            key={value}
            name="expiry"
            value={value}
            label={label}
            checked={values.expiry === value}
            onChange={() => onChange({ expiry: value })}
          />
        ))}
        {values.expiry === "date" && (
          <input
            type="date"
            name="expiryDate"
            aria-label="Last day of the key, in UTC"
            aria-invalid={error !== undefined || undefined}
            aria-describedby="expiry-error"
            min={today}
            max={lifetime?.lastDay}
            value={values.expiryDate}
            onChange={(event) => onChange({ expiryDate: event.target.value })}
            className="numerals h-9 rounded-md border border-edge bg-raised px-2 text-xs13 aria-invalid:border-down md:h-8"
          />
        )}
      </div>
      <p className="mt-1.5 text-xs13 text-faint">
        {HINTS[values.expiry] ?? `Counted from when the key is ${currently === undefined ? "created" : "saved"}.`}
        {lifetime !== null && ` The operator allows keys a life of ${formatDays(lifetime.days)} at most.`}
      </p>
      <div id="expiry-error" aria-live="polite" className="text-xs13 text-down empty:hidden">
        {error}
      </div>
    </fieldset>
  );
}

interface KindFieldProps {
  kinds: readonly KindTerms[];
  value: KeyKind;
  onChange: (kind: KeyKind) => void;
}

function KindField({ kinds, value, onChange }: KindFieldProps) {
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">Kind</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {kinds.map(({ kind, title, text }) => (
          <label
            key={kind}
            className="flex items-start gap-2.5 rounded-md border border-line bg-panel p-3 hover:border-edge has-checked:border-accent-ink has-focus-visible:outline-2 has-focus-visible:outline-accent-ink"
          >
            <input
              type="radio"
              name="kind"
              value={kind}
              checked={value === kind}
              onChange={() => onChange(kind)}
              className={CHECK_CLASS}
              aria-describedby={`kind-${kind}`}
            />
            <span className="grid gap-0.5">
              <span>{title}</span>
              <span id={`kind-${kind}`} className="text-xs13 text-dim">
                {text}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const LIMITS = [
  ["perMinute", "Calls a minute"],
  ["perDay", "Calls a day"],
] as const;

interface LimitsFieldProps {
  /** The terms of the chosen kind of key. */
  terms: KindTerms | undefined;
  values: Pick<KeyFormValues, "perMinute" | "perDay">;
  onChange: (change: Partial<KeyFormValues>) => void;
  errors: Readonly<Record<string, string>>;
}

/** The limits of the key itself, below those of its account. */
function LimitsField({ terms, values, onChange, errors }: LimitsFieldProps) {
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">Limits of this key</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {LIMITS.map(([name, label]) => (
          <TextField
            key={name}
            id={name}
            name={name}
            label={label}
            placeholder={terms?.[name]}
            value={values[name]}
            onChange={(event) => onChange({ [name]: event.target.value })}
            error={errors[name]}
            inputMode="numeric"
            autoComplete="off"
            className="numerals"
            maxLength={10}
          />
        ))}
      </div>
      <p className="mt-1.5 text-xs13 text-faint">
        Leave empty for the limits of your account. Its calls a day count all keys together, this one included.
      </p>
    </fieldset>
  );
}

interface OriginsFieldProps {
  value: string;
  onChange: (typed: string) => void;
  error: string | undefined;
}

/** The only origins whose pages may use the key in a browser. */
function OriginsField({ value, onChange, error }: OriginsFieldProps) {
  const isRestricted = value.trim() !== "";
  return (
    <Restriction
      title="Only pages of some sites"
      state={isRestricted ? "restricted" : "all"}
      isRestricted={isRestricted}
      hasError={error !== undefined}
    >
      <TextArea
        id="origins"
        name="origins"
        label="Allowed origins"
        hint="One a line. Browsers may then use the key on pages of these origins, and on no others. Programs outside browsers are not restricted."
        placeholder="https://app.example.com"
        rows={3}
        autoComplete="off"
        spellCheck={false}
        className="numerals text-xs13"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        error={error}
      />
    </Restriction>
  );
}

interface RestrictionProps {
  title: string;
  /** What is chosen now, in a few words. */
  state: string;
  isRestricted: boolean;
  hasError: boolean;
  children: ReactNode;
}

/** A part of the form that restricts a key. It starts closed, because most keys need no such list. */
function Restriction({ title, state, isRestricted, hasError, children }: RestrictionProps) {
  const [isOpen, setOpen] = useState(isRestricted);
  return (
    <details
      open={isOpen || hasError}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="rounded-md border border-line bg-panel"
    >
      <summary className="px-3 py-2.5 font-medium">
        {title}
        <span className="ml-2 text-xs13 font-normal text-dim">{state}</span>
      </summary>
      <div className="border-t border-line p-3">{children}</div>
    </details>
  );
}

interface ChoiceProps<Value extends string> {
  name: string;
  option: Value;
  chosen: readonly Value[];
  onChange: (chosen: readonly Value[]) => void;
  className: string;
}

/** One of several values that can be chosen together. */
function Choice<Value extends string>({ name, option, chosen, onChange, className }: ChoiceProps<Value>) {
  return (
    <label className={`flex items-start py-1 ${className}`}>
      <input
        type="checkbox"
        name={name}
        value={option}
        checked={chosen.includes(option)}
        onChange={({ target }) =>
          onChange(target.checked ? [...chosen, option] : chosen.filter((other) => other !== option))
        }
        className={CHECK_CLASS}
      />
      {option}
    </label>
  );
}

const texts: Readonly<Record<Scope, { title: string; text: string }>> = {
  quotes: { title: "Quotes", text: "Live bid and ask, one symbol or many, and the list of symbols." },
  indicators: { title: "Indicators", text: "Technical indicators and the screener." },
  historical: { title: "Historical", text: "Bars, ticks and the history of indicators." },
  premium: { title: "Premium", text: "Summaries, many symbols at once and the strength heatmap." },
  all: {
    title: "All data",
    text: "All of the above, and data of scopes added later. Alerts are no data, and a scope of their own.",
  },
  alerts: {
    title: "Alerts",
    text: "Reads and changes your alerts and webhooks, of data that the other scopes open. None of them includes it.",
  },
};

interface ScopesFieldProps {
  guides: readonly ScopeGuide[];
  value: readonly Scope[];
  onChange: (scopes: readonly Scope[]) => void;
  error: string | undefined;
}

/** The scopes of a key. Each lists its endpoints and their weights. */
function ScopesField({ guides, value, onChange, error }: ScopesFieldProps) {
  const everything = value.includes("all");
  return (
    <fieldset aria-describedby="scopes-error">
      <legend className="mb-1.5 font-medium">Scopes</legend>
      <div className="divide-y divide-line rounded-md border border-line bg-panel">
        {guides.map(({ scope, endpoints }) => {
          const covered = everything && scope !== "all" && scope !== "alerts";
          return (
            <label key={scope} className="flex items-start gap-2.5 p-3 hover:bg-hover">
              <input
                type="checkbox"
                name="scopes"
                value={scope}
                checked={covered || value.includes(scope)}
                disabled={covered}
                aria-invalid={error !== undefined && scope === guides[0]?.scope ? true : undefined}
                onChange={(event) =>
                  onChange(event.target.checked ? [...value, scope] : value.filter((other) => other !== scope))
                }
                className={CHECK_CLASS}
              />
              <span className="grid min-w-0 gap-0.5">
                <span>{texts[scope].title}</span>
                <span className="text-xs13 text-dim">{texts[scope].text}</span>
                {scope !== "all" && (
                  <Figure className="text-2xs leading-5 text-faint">
                    {endpoints.length === 0
                      ? "No endpoints in this version"
                      : groupByPath(endpoints).map(({ path, methods, weight }) => (
                          <span key={`${path} ${weight}`} className="mr-3 inline-block">
                            {methods.join(", ")} {path.replace("/v1", "")} {weight}×
                          </span>
                        ))}
                  </Figure>
                )}
              </span>
            </label>
          );
        })}
      </div>
      <div id="scopes-error" aria-live="polite" className="mt-1.5 text-xs13 text-down empty:hidden">
        {error}
      </div>
    </fieldset>
  );
}

/** The methods of each path that cost the same. */
function groupByPath(endpoints: readonly EndpointLine[]) {
  const groups = new Map<string, { path: string; weight: number; methods: string[] }>();
  for (const { method, path, weight } of endpoints) {
    const group = groups.get(`${path} ${weight}`) ?? { path, weight, methods: [] };
    groups.set(`${path} ${weight}`, group);
    if (!group.methods.includes(method)) group.methods.push(method);
  }
  return [...groups.values()];
}

interface SymbolsFieldProps {
  values: Pick<KeyFormValues, "categories" | "symbols">;
  onChange: (change: Partial<KeyFormValues>) => void;
  error: string | undefined;
}

/** The only categories and symbols that the key may read. */
function SymbolsField({ values: { categories, symbols }, onChange, error }: SymbolsFieldProps) {
  const isRestricted = categories.length > 0 || symbols.trim() !== "";
  return (
    <Restriction
      title="Only some symbols"
      state={isRestricted ? "restricted" : "all"}
      isRestricted={isRestricted}
      hasError={error !== undefined}
    >
      <div className="grid gap-3">
        <fieldset>
          <legend className="mb-1 text-xs13 text-dim">Categories</legend>
          <div className="flex flex-wrap gap-x-5">
            {CATEGORIES.map((category) => (
              <Choice
                key={category}
                name="symbolsCategories"
                option={category}
                chosen={categories}
                onChange={(chosen) => onChange({ categories: chosen })}
                className="gap-2 text-xs13"
              />
            ))}
          </div>
        </fieldset>
        <TextField
          id="symbols"
          name="symbols"
          label="Single symbols"
          hint="Separated by commas, in any spelling. Leave both empty to allow all."
          placeholder="XAUUSD, GER40"
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          className="numerals text-xs13"
          value={symbols}
          onChange={(event) => onChange({ symbols: event.target.value })}
          error={error}
        />
      </div>
    </Restriction>
  );
}

"use client";

import { LockKeyhole } from "lucide-react";
import { useRouter } from "next/navigation";
import { type FormEvent, startTransition, useActionState, useEffect, useRef, useState } from "react";
import { SymbolSelect } from "@/components/shared/symbol-select";
import { announce } from "@/components/ui/announcer";
import { CHECK_CLASS } from "@/components/ui/badge";
import { Button, getButtonClass } from "@/components/ui/button";
import { FieldFrame, SelectField, TextField } from "@/components/ui/field";
import { Figure } from "@/components/ui/figure";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import { useFresh } from "@/components/ui/use-fresh";
import {
  ALERT_KINDS,
  type AlertFormValues,
  type AlertKind,
  type FieldsProps,
  formatPeriod,
  type FormSetup,
  type SymbolNow,
  type WebhookLine,
} from "@/features/alerts/types";
import { UNSENT } from "@/features/forms/action-state";
import { useDraft } from "@/features/forms/use-draft";
import { useFieldErrors } from "@/features/forms/use-field-errors";
import { IMPACTS } from "@/lib/calendar/event";
import { choosePrice, formatSentPrice, formatSpreadPips, type PriceSide } from "@/lib/market/price";
import { readTypedNumber } from "@/lib/text/typed-number";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

interface AlertFormProps extends FormSetup {
  webhooks: readonly WebhookLine[];
  /** How many devices the account has. */
  devices: number;
}

/** The form that creates or edits an alert. */
export function AlertForm({ action, values: first, editedId, webhooks, devices, ...setup }: AlertFormProps) {
  const [state, formAction, pending] = useActionState(action, UNSENT);
  const { errors, onChange } = useFieldErrors(state.errors);
  const [values, setValues] = useState<AlertFormValues>(state.values ?? first);
  const formRef = useRef<HTMLFormElement>(null);
  const onInput = useDraft(formRef, editedId ?? "new alert", state);
  const router = useRouter();
  const change = (changed: Partial<AlertFormValues>): void => setValues((before) => ({ ...before, ...changed }));
  const savedId = state.result?.id;
  const { kind, symbol } = values;

  const [shownId, setShownId] = useState(savedId);
  if (shownId !== savedId) {
    setShownId(savedId);
    // The next alert is another one.
    if (savedId !== undefined) change({ level: "", name: "" });
  }

  useEffect(() => {
    if (!state.done || savedId === undefined) {
      // After a refusal the first invalid field gets the focus.
      formRef.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
      return;
    }
    announce(editedId === null ? "Alert created" : "Alert saved");
    router.push(`/alerts?alert=${savedId}&symbol=${symbol}`, { scroll: false });
    // Only after an answer.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [state]);

  function submit(event: FormEvent<HTMLFormElement>): void {
    // React empties a form after its action; called from here, the action leaves the values in place.
    event.preventDefault();
    if (pending) return;
    const form = new FormData(event.currentTarget);
    startTransition(() => formAction(form));
  }

  const plans = setup.locked[kind];
  const fields = { values, onChange: change, errors };
  const isOfEvents = kind === "release" || kind === "upcoming";
  return (
    <form
      ref={formRef}
      action={formAction}
      onSubmit={submit}
      onChange={onChange}
      onInput={onInput}
      noValidate
      className="grid gap-4 px-4 pt-3.5 pb-6"
    >
      <h2 id="alert-form-title" className="font-medium">
        {editedId === null ? "New alert" : "Edit alert"}
      </h2>
      {editedId !== null && <input type="hidden" name="id" value={editedId} />}
      {state.error !== undefined && <Notice tone="error">{state.error}</Notice>}
      <noscript>{state.done && <Notice tone="note">Saved. It is in the list.</Notice>}</noscript>
      <KindField {...fields} {...setup} />
      {plans !== undefined && <LockedKind plans={plans} />}
      {isOfEvents ? <EventFields {...fields} /> : <SymbolFields {...fields} {...setup} />}
      <ChannelFields {...fields} {...setup} webhooks={webhooks} devices={devices} />
      <TextField
        id="alert-name"
        name="name"
        label="Name"
        hint="Without one, the alert is named by its condition."
        autoComplete="off"
        maxLength={100}
        value={values.name}
        onChange={({ target }) => change({ name: target.value })}
        error={errors.name}
      />
      <div className="flex gap-2">
        <SubmitButton pending={pending}>{editedId === null ? "Create alert" : "Save alert"}</SubmitButton>
        <Link href="/alerts" className={`${getButtonClass("quiet")} ${editedId === null ? "wide:hidden" : ""}`}>
          Cancel
        </Link>
      </div>
    </form>
  );
}

function LockedKind({ plans }: { plans: string }) {
  return (
    <p className="flex gap-2 rounded-md border border-dashed border-edge p-3 text-xs13 text-dim">
      <LockKeyhole aria-hidden size={15} className="mt-0.5 flex-none text-faint" />
      <span>
        Your plan does not include the data of this alert. It is included in {plans}.{" "}
        <Link href="/plan" className="text-accent-ink underline underline-offset-4">
          Compare plans
        </Link>
      </span>
    </p>
  );
}

const LABELS: Readonly<Record<AlertKind, string>> = {
  price: "Price",
  line: "Line",
  move: "Move in %",
  indicator: "Indicator",
  spread: "Wide spread",
  state: "State",
  completeness: "Completeness",
  release: "Release",
  upcoming: "Event due",
};

/** What the alert waits for. Without a script, links lead to the forms of the other kinds. */
function KindField({ values, onChange, locked, line, errors }: FieldsProps & Pick<FormSetup, "locked" | "line">) {
  const kinds = line === null ? ALERT_KINDS : (["line", ...ALERT_KINDS] as const);
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">Alert on</legend>
      <div className="grid grid-cols-3 gap-1.5">
        {kinds.map((kind) => (
          <label
            key={kind}
            className="flex h-9 items-center justify-center gap-1 rounded-md border border-line bg-panel px-1 text-xs12 whitespace-nowrap text-dim hover:border-edge hover:text-ink has-checked:border-accent-ink has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent-ink max-md:h-10"
          >
            <input
              type="radio"
              name="kind"
              value={kind}
              checked={values.kind === kind}
              onChange={() => onChange({ kind })}
              className="sr-only"
            />
            {locked[kind] !== undefined && <LockKeyhole aria-hidden size={12} className="flex-none text-faint" />}
            {LABELS[kind]}
          </label>
        ))}
      </div>
      <p aria-live="polite" className="mt-1.5 text-xs13 text-down empty:hidden">
        {errors.kind}
      </p>
      <noscript>
        <p className="mt-2 flex flex-wrap gap-x-3 text-xs13">
          {ALERT_KINDS.map((kind) => (
            <a key={kind} href={`/alerts?kind=${kind}`} className="underline">
              {LABELS[kind]}
            </a>
          ))}
        </p>
      </noscript>
    </fieldset>
  );
}

const REFRESH_MS = 2_000;
const DIRECTIONS = { either: "Crosses", up: "Rises to", down: "Falls to" } as const;
const MOVES = { either: "Up or down", up: "Up", down: "Down" } as const;
const STATES = {
  live: "Live: prices arrive again",
  stale: "Stale: prices stopped while the market is open",
  closed: "Closed: the market closes",
} as const;

type SymbolFieldsProps = FieldsProps & Pick<FormSetup, "symbolName" | "quote" | "sources" | "line">;

/** The fields of a condition on a symbol, with its price now. */
function SymbolFields({ symbolName, quote: first, sources, line, ...fields }: SymbolFieldsProps) {
  const [firstSymbol] = useState(fields.values.symbol);
  const { values, onChange, errors } = fields;
  const url = `/alerts/price?${new URLSearchParams({ symbol: values.symbol })}`;
  const { data: quote = first } = useFresh<SymbolNow>(url, REFRESH_MS);
  if (values.kind === "line" && line !== null) return <LineFields {...fields} {...{ line, quote }} />;
  return (
    <>
      <div className="grid gap-1">
        <FieldFrame id="alert-symbol" label="Symbol" error={errors.symbol}>
          <SymbolSelect
            id="alert-symbol"
            value={values.symbol}
            {...(values.symbol === firstSymbol ? { title: symbolName } : {})}
            className="w-full"
            isTall
            errorId={errors.symbol ? "alert-symbol-error" : null}
            onChange={(symbol) => onChange({ symbol, level: "" })}
          />
        </FieldFrame>
        <QuoteLine quote={quote} />
      </div>
      {values.kind === "price" && <PriceFields {...fields} quote={quote} />}
      {values.kind === "move" && <MoveFields {...fields} />}
      {values.kind === "indicator" && <IndicatorFields {...fields} />}
      {values.kind === "spread" && (
        <p className="text-xs13 text-dim">
          Fires when the spread rises above the 95th percentile of its last seven days, its usual upper end.
        </p>
      )}
      {values.kind === "state" && <StateFields {...fields} />}
      {values.kind === "completeness" && <CompletenessFields {...fields} sources={sources} />}
    </>
  );
}

function QuoteLine({ quote }: { quote: SymbolNow }) {
  if (quote === null) return <p className="text-xs12 text-faint">No price yet</p>;
  const { bid, ask, digits, spreadPips, state } = quote;
  return (
    <p className="flex flex-wrap gap-x-3 text-xs12 text-dim">
      <span>
        Bid <Figure className="text-ink">{formatSentPrice(bid, digits)}</Figure>
      </span>
      <span>
        Ask <Figure className="text-ink">{formatSentPrice(ask, digits)}</Figure>
      </span>
      <span>
        Spread <Figure>{formatSpreadPips(spreadPips)}</Figure>
      </span>
      <span>{state}</span>
    </p>
  );
}

/** The line as it is on the chart, and what crosses it. */
function LineFields({ values, onChange, line, quote }: FieldsProps & { quote: SymbolNow } & Line) {
  const { symbol } = values;
  return (
    <>
      <input type="hidden" name="symbol" value={symbol} />
      <div className="grid gap-1">
        <p className="font-medium">Line</p>
        <p className="text-xs13 text-dim">{line.words}</p>
        <p className="text-xs13">
          <Link
            href={`/symbols/${symbol}?timeframe=${line.timeframe}`}
            className="text-accent-ink underline underline-offset-4"
          >
            Chart of <span translate="no">{symbol}</span>
          </Link>
        </p>
        <QuoteLine quote={quote} />
      </div>
      <PriceChoice {...{ values, onChange }} />
    </>
  );
}

interface Line {
  line: NonNullable<FormSetup["line"]>;
}

/** Which price counts, and in which direction. */
function PriceChoice({ values, onChange }: Pick<FieldsProps, "values" | "onChange">) {
  return (
    <div className="grid grid-cols-2 gap-3">
      <SelectField
        id="alert-price"
        name="price"
        label="Price"
        value={values.price}
        onChange={({ target }) => onChange({ price: target.value })}
      >
        <option value="bid">Bid</option>
        <option value="ask">Ask</option>
        <option value="mid">Mid</option>
      </SelectField>
      <DirectionField value={values.direction} onChange={onChange} labels={DIRECTIONS} />
    </div>
  );
}

function PriceFields({ values, onChange, errors, quote }: FieldsProps & { quote: SymbolNow }) {
  const { bid = 0, ask = 0, digits = 0 } = quote ?? {};
  const now = choosePrice({ bid, ask }, values.price as PriceSide);
  const hint = describeLevel(values, now);
  return (
    <>
      <PriceChoice {...{ values, onChange }} />
      <TextField
        id="alert-level"
        name="level"
        label="Level"
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        className="numerals"
        placeholder={now > 0 ? now.toFixed(digits) : ""}
        value={values.level}
        onChange={({ target }) => onChange({ level: target.value })}
        error={errors.level}
        hint={hint}
        aside={
          now > 0 && (
            <Button look="quiet" size="sm" onClick={() => onChange({ level: now.toFixed(digits) })}>
              Use the {values.price}
            </Button>
          )
        }
      />
    </>
  );
}

/** How far a typed level is from the price now, and how it is read if it could be read otherwise. */
function describeLevel({ level: typed, price }: AlertFormValues, now: number): string {
  const read = readTypedNumber(typed, { near: now });
  if ("problem" in read || read.value <= 0 || now === 0) {
    return "problem" in read && typed.trim() !== ""
      ? `This ${read.problem}.`
      : `Fires when the ${price} reaches or passes it.`;
  }
  const percent = ((read.value - now) / now) * 100;
  const distance = `${Math.abs(percent).toFixed(2)} % ${percent >= 0 ? "above" : "below"} the ${price} now.`;
  return Number(typed) === read.value ? distance : `Read as ${read.value}. ${distance}`;
}

interface DirectionFieldProps {
  value: string;
  onChange: FieldsProps["onChange"];
  labels: Readonly<Record<"either" | "up" | "down", string>>;
}

function DirectionField({ value, onChange, labels }: DirectionFieldProps) {
  return (
    <SelectField
      id="alert-direction"
      name="direction"
      label="Direction"
      value={value}
      onChange={({ target }) => onChange({ direction: target.value })}
    >
      {Object.entries(labels).map(([direction, label]) => (
        <option key={direction} value={direction}>
          {label}
        </option>
      ))}
    </SelectField>
  );
}

function MoveFields({ values, onChange, errors }: FieldsProps) {
  return (
    <div className="grid grid-cols-2 gap-3">
      <TextField
        id="alert-percent"
        name="percent"
        label="Percent"
        inputMode="decimal"
        autoComplete="off"
        maxLength={10}
        value={values.percent}
        onChange={({ target }) => onChange({ percent: target.value })}
        error={errors.percent}
      />
      <TextField
        id="alert-minutes"
        name="minutes"
        label="Within minutes"
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        value={values.minutes}
        onChange={({ target }) => onChange({ minutes: target.value })}
        error={errors.minutes}
      />
      <DirectionField value={values.direction} onChange={onChange} labels={MOVES} />
    </div>
  );
}

function StateFields({ values, onChange, errors }: FieldsProps) {
  const toggle = (state: string) =>
    onChange({
      states: values.states.includes(state)
        ? values.states.filter((each) => each !== state)
        : [...values.states, state],
    });
  return (
    <fieldset aria-describedby={errors.states === undefined ? undefined : "alert-states-error"}>
      <legend className="mb-1.5 font-medium">When the quote becomes</legend>
      <div className="grid gap-1.5">
        {Object.entries(STATES).map(([state, label]) => (
          <label key={state} className="flex items-start gap-2.5 text-xs13">
            <input
              type="checkbox"
              name="states"
              value={state}
              checked={values.states.includes(state)}
              onChange={() => toggle(state)}
              aria-invalid={errors.states === undefined ? undefined : true}
              className={CHECK_CLASS}
            />
            {label}
          </label>
        ))}
      </div>
      <p id="alert-states-error" aria-live="polite" className="text-xs13 text-down empty:hidden">
        {errors.states}
      </p>
    </fieldset>
  );
}

/** What an indicator of which bars crosses. */
function IndicatorFields({ values, onChange, errors }: FieldsProps) {
  const set = (name: "timeframe" | "indicator" | "target") => ({
    ...{ id: `alert-${name}`, name, value: values[name], error: errors[name], autoComplete: "off", spellCheck: false },
    onChange: ({ target }: { target: { value: string } }) => onChange({ [name]: target.value }),
  });
  return (
    <>
      <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,1fr)] gap-3">
        <TextField {...set("indicator")} label="Indicator" maxLength={64} hint="Such as RSI_14, EMA_34 or close." />
        <TextField {...set("timeframe")} label="Timeframe" maxLength={8} hint="M1 to MN1." />
      </div>
      <div className="grid grid-cols-2 gap-3">
        <SelectField
          id="alert-crossing"
          name="direction"
          label="Crosses"
          value={values.direction}
          onChange={({ target }) => onChange({ direction: target.value })}
        >
          <option value="either">above or below</option>
          <option value="up">above</option>
          <option value="down">below</option>
        </SelectField>
        <TextField {...set("target")} label="This" maxLength={64} hint="A value or an indicator." />
      </div>
      <p className="text-xs13 text-faint">It is compared at each bar that closes, with the value of /v1/indicator.</p>
    </>
  );
}

function CompletenessFields({ values, onChange, errors, sources }: FieldsProps & Pick<FormSetup, "sources">) {
  return (
    <>
      <SelectField
        id="alert-source"
        name="source"
        label="Prices"
        value={values.source}
        onChange={({ target }) => onChange({ source: target.value })}
        error={errors.source}
      >
        {sources.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <TextField
        id="alert-complete"
        name="complete"
        label="Less than percent of a day"
        inputMode="decimal"
        autoComplete="off"
        maxLength={10}
        value={values.complete}
        onChange={({ target }) => onChange({ complete: target.value })}
        error={errors.complete}
        hint="Fires once a UTC day, after the hour with which the day can no longer reach it. Only open hours count."
      />
    </>
  );
}

/** Which events of the calendar count, and how long before them. */
function EventFields({ values, onChange, errors }: FieldsProps) {
  const { kind, impacts } = values;
  const toggle = (impact: string) =>
    onChange({ impacts: impacts.includes(impact) ? impacts.filter((each) => each !== impact) : [...impacts, impact] });
  return (
    <>
      {kind === "upcoming" && (
        <TextField
          id="alert-lead"
          name="lead"
          label="Minutes before"
          inputMode="numeric"
          autoComplete="off"
          maxLength={6}
          value={values.lead}
          onChange={({ target }) => onChange({ lead: target.value })}
          error={errors.lead}
        />
      )}
      <fieldset>
        <legend className="mb-1.5 font-medium">Impact</legend>
        <div className="flex gap-1.5">
          {IMPACTS.map((impact) => (
            <label
              key={impact}
              className="grid h-9 flex-1 place-items-center rounded-md border border-line bg-panel px-2 text-xs13 text-dim capitalize hover:border-edge hover:text-ink has-checked:border-accent-ink has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent-ink max-md:h-10"
            >
              <input
                type="checkbox"
                name="impacts"
                value={impact}
                checked={impacts.includes(impact)}
                onChange={() => toggle(impact)}
                className="sr-only"
              />
              {impact}
            </label>
          ))}
        </div>
        <p className="mt-1.5 text-xs13 text-faint">{impacts.length === 0 && "None chosen: events of every impact."}</p>
      </fieldset>
      <TextField
        id="alert-currencies"
        name="currencies"
        label="Currencies"
        hint="Codes such as USD, EUR. Empty for all."
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={100}
        value={values.currencies}
        onChange={({ target }) => onChange({ currencies: target.value })}
        error={errors.currencies}
      />
      <TextField
        id="alert-search"
        name="search"
        label="Words in the title"
        hint="Such as CPI. Empty for all events."
        autoComplete="off"
        maxLength={100}
        value={values.search}
        onChange={({ target }) => onChange({ search: target.value })}
        error={errors.search}
      />
    </>
  );
}

const MINUTE_S = MINUTE_MS / SECOND_MS;
const PERIODS_S = [1, 5, 15, 60, 240, 1_440, 10_080].map((minutes) => minutes * MINUTE_S);
/** Mails are not sent more often. */
const MAIL_FROM_S = 15 * MINUTE_S;

type ChannelFieldsProps = FieldsProps &
  Pick<FormSetup, "email" | "hasMail"> & { webhooks: readonly Pick<WebhookLine, "id" | "name">[]; devices: number };

/** How often the alert fires, and where it is sent besides this site. */
function ChannelFields({ values, onChange, errors, email, hasMail, webhooks, devices }: ChannelFieldsProps) {
  const { kind, repeat, byMail, byPush, webhookId } = values;
  const isOfDays = kind === "completeness";
  const isOfOccasions = isOfDays || kind === "release" || kind === "upcoming";
  const least = byMail && !isOfOccasions ? MAIL_FROM_S : 0;
  const periods = PERIODS_S.filter((seconds) => seconds >= least);
  const isOther = repeat !== "once" && repeat !== "0" && !periods.includes(Number(repeat));
  return (
    <>
      <SelectField
        id="alert-repeat"
        name="repeat"
        label="Repeat"
        value={repeat}
        onChange={({ target }) => onChange({ repeat: target.value })}
        error={errors.repeat}
        hint={least > 0 ? "An alert that is mailed repeats every 15 minutes at most." : undefined}
      >
        <option value="once">Once, then it is off</option>
        {(isOfOccasions || repeat === "0") && <option value="0">For every {isOfDays ? "day" : "event"}</option>}
        {isOther && <option value={repeat}>At most every {formatPeriod(Number(repeat))}</option>}
        {periods.map((seconds) => (
          <option key={seconds} value={seconds}>
            At most every {formatPeriod(seconds)}
          </option>
        ))}
      </SelectField>
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 font-medium">Send to</legend>
        <p className="text-xs13 text-dim">Every alert is shown on all pages of Spotline. It can also be sent:</p>
        <label className={`flex items-start gap-2.5 text-xs13 ${hasMail ? "" : "text-faint"}`}>
          <input
            type="checkbox"
            name="byMail"
            value="1"
            checked={byMail}
            disabled={!hasMail && !byMail}
            onChange={({ target }) => onChange({ byMail: target.checked })}
            className={CHECK_CLASS}
          />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {hasMail ? `By mail to ${email}` : "By mail: this server sends no mail"}
          </span>
        </label>
        <label className={`flex items-start gap-2.5 text-xs13 ${devices > 0 ? "" : "text-faint"}`}>
          <input
            type="checkbox"
            name="byPush"
            value="1"
            checked={byPush}
            disabled={devices === 0 && !byPush}
            onChange={({ target }) => onChange({ byPush: target.checked })}
            className={CHECK_CLASS}
          />
          <span>
            {devices === 0
              ? "Push to devices: add one under “Devices”"
              : `Push to ${devices === 1 ? "one device" : `${devices} devices`}`}
          </span>
        </label>
        {webhooks.length > 0 && (
          <SelectField
            id="alert-webhook"
            name="webhookId"
            label="Webhook"
            value={webhookId}
            onChange={({ target }) => onChange({ webhookId: target.value })}
            error={errors.webhookId}
          >
            <option value="">No webhook</option>
            {webhooks.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
      </fieldset>
    </>
  );
}

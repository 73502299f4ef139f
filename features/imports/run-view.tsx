"use client";

import { type ReactNode, useState, useSyncExternalStore } from "react";
import { getButtonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Fact, Facts } from "@/components/ui/facts";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { State } from "@/components/ui/state";
import { pickNewer, useFresh } from "@/components/ui/use-fresh";
import { ActionForm } from "@/features/forms/action-form";
import type { FormAction } from "@/features/forms/action-state";
import type { ImportData } from "@/features/imports/data";
import { DropZone } from "@/features/imports/drop-zone";
import { OptionsForm } from "@/features/imports/options-form";
import { LeftOutList, SeriesList } from "@/features/imports/series-part";
import { continueUpload, getUpload, subscribeUploads, type Upload } from "@/features/imports/uploads";
import { describeState, listSuggestions, nameRun, OPTION_LABELS } from "@/features/imports/words";
import type { OptionName } from "@/lib/history/import/import-options";
import type { ImportRun } from "@/lib/history/import/import-runs";
import type { ImportSummary } from "@/lib/history/import/import-summary";
import { formatBytes, formatCount } from "@/lib/text/text";
import { formatTimeLeft } from "@/lib/time/duration";
import { SECOND_MS } from "@/lib/time/units";

interface RunActions {
  readonly plan: FormAction;
  readonly suggestion: FormAction;
  readonly start: FormAction;
  readonly stop: FormAction;
  readonly undo: FormAction;
  readonly discard: FormAction;
}

interface RunViewProps {
  id: string;
  initial: ImportData;
  actions: RunActions;
  /** Whether the operator was confirmed a moment ago. */
  confirmed: boolean;
}

const BUSY_MS = SECOND_MS;
const IDLE_MS = 5 * SECOND_MS;
const BUSY: readonly ImportRun["state"][] = ["uploading", "planning", "queued", "importing", "undoing"];

/** One import, from the upload to the report, refreshed while something happens. */
export function RunView({ id, initial, actions, confirmed }: RunViewProps) {
  const [everyMs, setEveryMs] = useState(initial.run !== null && BUSY.includes(initial.run.state) ? BUSY_MS : IDLE_MS);
  const fresh = useFresh<ImportData>(`/operator/import/${id}/data`, everyMs, initial);
  const { run, receivedBytes, nowMs } = pickNewer(fresh.data, initial);
  const wantedMs = run !== null && BUSY.includes(run.state) ? BUSY_MS : IDLE_MS;
  if (wantedMs !== everyMs) setEveryMs(wantedMs);
  if (run === null) {
    return (
      <EmptyState title="This import is gone">
        It had stored nothing, and was discarded or left for a day. <Link href="/operator/import">All imports</Link>
      </EmptyState>
    );
  }
  const { look, text } = describeState(run);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 pb-3 text-xs13 text-dim" data-run={run.state}>
        <span role="status">
          <State look={look} className="text-ink">
            {text}
          </State>
        </span>
        <span className="min-w-0 [overflow-wrap:anywhere]">{nameRun(run)}</span>
        <span>{formatBytes(run.bytes)}</span>
        <span>{run.byCommand ? "begun at the command line" : `begun by ${run.account ?? "a removed account"}`}</span>
      </div>
      {fresh.isOffline && (
        <div className="px-4 pb-3">
          <Notice tone="error">The server is not responding. This page may be out of date.</Notice>
        </div>
      )}
      {run.error !== null && (
        <div className="px-4 pb-3">
          <Notice tone="error">{run.error}</Notice>
        </div>
      )}
      {run.state === "uploading" ? (
        <UploadPart run={run} receivedBytes={receivedBytes ?? 0} discard={actions.discard} />
      ) : (
        <WorkPart {...{ run, nowMs, actions, confirmed }} />
      )}
      {run.summary !== null && run.state !== "planning" && (
        <>
          <SeriesList summary={run.summary} isImported={run.isImported} />
          <LeftOutList summary={run.summary} />
        </>
      )}
      {mayPlan(run) && (
        <OptionsForm
          key={JSON.stringify([run.options, run.summary?.table])}
          id={id}
          given={run.options}
          table={run.summary?.table ?? null}
          plan={actions.plan}
        />
      )}
    </>
  );
}

const mayPlan = ({ state, byCommand, isImported, canUndo }: ImportRun) =>
  !byCommand && !isImported && !canUndo && ["planned", "failed", "cancelled"].includes(state);

interface UploadPartProps {
  run: ImportRun;
  receivedBytes: number;
  discard: FormAction;
}

/** The upload: how far this browser is, or how to go on. */
function UploadPart({ run, receivedBytes, discard }: UploadPartProps) {
  const upload = useSyncExternalStore<Upload | undefined>(
    subscribeUploads,
    () => getUpload(run.id),
    () => undefined,
  );
  const isOwn = upload !== undefined && upload.state !== "failed";
  const sent = isOwn ? Math.max(upload.sentBytes, 0) : receivedBytes;
  return (
    <div className="grid gap-4 border-t border-line px-4 py-5">
      <ProgressBar
        label="Upload"
        share={run.bytes === 0 ? 0 : sent / run.bytes}
        text={`${formatBytes(sent)} of ${formatBytes(run.bytes)}${isOwn ? ` · ${formatCount(upload.sentFiles)} of ${formatCount(upload.files)} files` : ""}`}
      />
      {upload?.message != null && <Notice tone="error">{upload.message}</Notice>}
      {!isOwn && (
        <DropZone
          title={receivedBytes > 0 ? "Drop the same files here to go on" : "Drop the same files here"}
          onFiles={(files) => continueUpload(run.id, files)}
        />
      )}
      <ActionForm id={run.id} action={discard} submit="Discard" look="quiet" />
    </div>
  );
}

interface WorkPartProps {
  run: ImportRun;
  nowMs: number;
  actions: RunActions;
  /** Whether the operator was confirmed a moment ago. */
  confirmed: boolean;
}

/** What can be done next, and how far the server is. */
function WorkPart({ run, nowMs, actions, confirmed }: WorkPartProps) {
  const { id, state, summary, canUndo } = run;
  const isStopped = state === "failed" || state === "cancelled";
  const canDiscard = !run.byCommand && !canUndo && (isStopped || state === "planned");
  const hasRows = summary !== null && summary.accepted > 0;
  const mayStart = hasRows && (state === "planned" || (isStopped && !run.byCommand));
  return (
    <div className="grid gap-4 px-4 pt-1 pb-5">
      {BUSY.includes(state) && <Progress run={run} nowMs={nowMs} />}
      {summary !== null && state !== "planning" && <Totals run={run} summary={summary} />}
      {summary !== null && mayPlan(run) && <Suggestions run={run} summary={summary} suggestion={actions.suggestion} />}
      <div className="flex flex-wrap items-end gap-2 empty:hidden">
        {mayStart && (
          <ActionForm
            id={id}
            action={actions.start}
            confirmed={confirmed}
            submit={isStopped ? "Continue" : "Import"}
            look="primary"
          />
        )}
        {(state === "queued" || (state === "importing" && !run.isInterrupted)) && (
          <ActionForm id={id} action={actions.stop} submit="Stop" />
        )}
        {(state === "done" || isStopped) && summary !== null && <ChartLinks summary={summary} />}
        {canDiscard && <ActionForm id={id} action={actions.discard} submit="Discard" look="quiet" />}
        {summary !== null && state !== "planning" && (
          <a href={`/operator/import/${id}/report`} className={getButtonClass("quiet")}>
            {run.isImported ? "Report as JSON" : "Plan as JSON"}
          </a>
        )}
      </div>
      {canUndo && <UndoForm id={id} undo={actions.undo} />}
    </div>
  );
}

/** What there is to import, or what was imported. */
function Totals({ run, summary }: { run: ImportRun; summary: ImportSummary }) {
  const { rows, accepted, added, failed, known, left_out_count, added_instruments } = summary;
  const options = Object.entries(run.options);
  return (
    <div className="-mx-4">
      <Facts>
        <Fact name="Rows">{formatCount(rows)}</Fact>
        <Fact name={run.isImported ? "Accepted" : "Will be stored"}>{formatCount(accepted)}</Fact>
        {run.isImported && run.state !== "undone" && <Fact name="New in the database">{formatCount(added)}</Fact>}
        <Fact name="Refused or left out">{formatCount(rows - accepted)}</Fact>
        {run.isImported && known > 0 && <Fact name="Files imported before">{formatCount(known)}</Fact>}
        <Fact name="Files left out">{formatCount(left_out_count)}</Fact>
        {failed > 0 && (
          <Fact name={run.isImported ? "Files not whole" : "Files with faults"} valueClassName="text-down">
            {formatCount(failed)}
          </Fact>
        )}
        {added_instruments.length > 0 && (
          <Fact name={run.isImported ? "New instruments" : "Instruments to be added"}>
            {cutList(added_instruments)}
          </Fact>
        )}
        {options.length > 0 && (
          <Fact name="Overrides">
            {options.map(([name, value]) => `${OPTION_LABELS[name as OptionName]}: ${value}`).join(", ")}
          </Fact>
        )}
      </Facts>
    </div>
  );
}

const MOST_NAMED = 8;

function cutList(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).join(", ");
  return names.length > MOST_NAMED ? `${shown} and ${formatCount(names.length - MOST_NAMED)} more` : shown;
}

interface SuggestionsProps {
  run: ImportRun;
  summary: ImportSummary;
  suggestion: FormAction;
}

/** What the plan suggests to change: each with one click. */
function Suggestions({ run, summary, suggestion }: SuggestionsProps) {
  const suggestions = listSuggestions(summary, run.options);
  if (suggestions.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-2" data-suggestions>
      <span className="text-xs13 text-dim">Suggested:</span>
      {suggestions.map(({ option, value }) => (
        <ActionForm
          key={`${option} ${value}`}
          id={run.id}
          action={suggestion}
          size="sm"
          submit={`${OPTION_LABELS[option]} ${value}`}
        >
          <input type="hidden" name="option" value={option} />
          <input type="hidden" name="value" value={value} />
        </ActionForm>
      ))}
    </div>
  );
}

const MOST_CHARTS = 4;

function ChartLinks({ summary }: { summary: ImportSummary }) {
  const symbols = [...new Set(summary.series.filter(({ accepted }) => accepted > 0).map(({ symbol }) => symbol))];
  return symbols.slice(0, MOST_CHARTS).map((symbol) => (
    <Link key={symbol} href={`/symbols/${symbol}`} className={getButtonClass("secondary")}>
      Chart of {symbol}
    </Link>
  ));
}

/** Behind a line, so that it takes two clicks. It works without a script. */
function UndoForm({ id, undo }: { id: string; undo: FormAction }) {
  return (
    <div className="max-w-md">
      <ActionForm id={id} action={undo} summary="Undo this import" submit="Undo the import" look="danger">
        <p className="text-xs13 text-dim">
          Every hour that it changed becomes what it was before, with what was recorded or imported earlier. The files
          can be imported again.
        </p>
      </ActionForm>
    </div>
  );
}

/** How far the process is, how fast, and how long it still takes. */
function Progress({ run, nowMs }: { run: ImportRun; nowMs: number }) {
  const { state, progress } = run;
  if (state === "queued")
    return <ProgressBar label="Import" share={null} text="It begins when the imports before it are done." />;
  if (state === "undoing") {
    const hours = progress === null ? "" : ` · ${formatCount(progress.rows)} hours are as before`;
    return <ProgressBar label="Undo" share={null} text={`The hours become what they were${hours}`} />;
  }
  const label = state === "planning" ? "Reading" : "Import";
  if (progress === null) return <ProgressBar label={label} share={null} text="Recognising the files" />;
  const { rows, bytes, bytesRead, file, startedAtMs, rowsBefore, bytesBefore } = progress;
  const seconds = Math.max(1, (nowMs - startedAtMs) / SECOND_MS);
  const share = bytes === 0 ? 1 : Math.min(1, bytesRead / bytes);
  const bytesPerSecond = (bytesRead - bytesBefore) / seconds;
  const left =
    bytesPerSecond > 0 ? ` · ${formatTimeLeft(((bytes - bytesRead) / bytesPerSecond) * SECOND_MS)} left` : "";
  return (
    <ProgressBar
      label={label}
      share={share}
      text={`${formatCount(rows)} rows · ${formatCount(Math.round((rows - rowsBefore) / seconds))} rows/s${left}`}
      note={file}
    />
  );
}

interface ProgressBarProps {
  label: string;
  /** From 0 to 1; null while it is not known. */
  share: number | null;
  text: ReactNode;
  note?: string;
}

function ProgressBar({ label, share, text, note }: ProgressBarProps) {
  const percent = share === null ? undefined : Math.floor(Math.min(1, share) * 100);
  return (
    <div className="grid gap-1.5">
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="h-2 overflow-hidden rounded-full border border-line bg-raised"
      >
        <div
          className={`h-full bg-accent ${percent === undefined ? "w-1/4 motion-safe:animate-pulse" : ""}`}
          style={percent === undefined ? undefined : { width: `${percent}%` }}
        />
      </div>
      <p className="flex flex-wrap justify-between gap-x-4 text-xs13 text-dim tabular-nums">
        <span>
          {percent !== undefined && `${percent} % · `}
          {text}
        </span>
        {note !== undefined && <span className="min-w-0 text-faint [overflow-wrap:anywhere]">{note}</span>}
      </p>
    </div>
  );
}

"use client";

import { Moment } from "@/components/shared/moment";
import { Figure } from "@/components/ui/figure";
import { State } from "@/components/ui/state";
import { type Column, Table } from "@/components/ui/table";
import { LogTime } from "@/features/alerts/alert-table";
import {
  describeOutcome,
  MAX_TRIES,
  type TestOutcome,
  type WebhookActions,
  type WebhookLine,
} from "@/features/alerts/types";
import { ActionForm } from "@/features/forms/action-form";
import type { FormAction } from "@/features/forms/action-state";
import type { WebhookDelivery } from "@/lib/alerts/firing-log";
import { KIND_NAMES } from "@/lib/alerts/webhook-names";

interface WebhookItemProps {
  webhook: WebhookLine;
  nowMs: number;
  actions: Pick<WebhookActions, "test" | "remove">;
}

/** One webhook: its address, its buttons and the log of its deliveries. */
export function WebhookItem({ webhook, nowMs, actions }: WebhookItemProps) {
  const { id, name, kind, url, chat, alerts, createdAtMs, deliveries } = webhook;
  const [latest] = deliveries;
  const outcome = latest === undefined ? null : describeOutcome(latest, nowMs);
  return (
    <li className="border-b border-line px-4 py-3">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-0 text-xs13">
          <h3 className="font-medium">
            {name} <span className="font-normal text-dim">· {KIND_NAMES[kind]}</span>
          </h3>
          <Figure as="p" className="text-xs12 text-dim [overflow-wrap:anywhere]">
            {chat === null ? url : `chat ${chat}`}
          </Figure>
          <p className="text-xs12 text-faint">
            {alerts === 1 ? "1 alert" : `${alerts} alerts`} · added <Moment atMs={createdAtMs} nowMs={nowMs} />
          </p>
        </div>
        <TestForm id={id} name={name} action={actions.test} />
      </div>
      {outcome === null ? (
        <p className="mt-1 text-xs12 text-faint">Nothing was sent to it yet.</p>
      ) : (
        <details className="mt-1.5">
          <summary className="cursor-pointer py-1 text-xs12 text-dim">
            Deliveries, the last:{" "}
            <State look={outcome.look} className="align-baseline">
              {outcome.text}
            </State>
          </summary>
          <div className="-mx-4 overflow-x-auto pt-1">
            <Table
              caption={`Deliveries to ${name}`}
              columns={listColumns(nowMs)}
              rows={deliveries}
              getKey={(delivery) => delivery.id}
              look="cards"
            />
          </div>
        </details>
      )}
      <ActionForm
        id={id}
        action={actions.remove}
        summary={`Delete ${name}`}
        submit="Delete webhook"
        look="danger"
        size="sm"
        className="grid max-w-md justify-items-start gap-2"
      >
        <p className="text-xs13 text-dim">{describeLoss(alerts)}</p>
      </ActionForm>
    </li>
  );
}

interface TestFormProps {
  id: string;
  name: string;
  action: FormAction<TestOutcome>;
}

/** The button that sends a test, and how the receiver answered. */
export function TestForm({ id, name, action }: TestFormProps) {
  return (
    <ActionForm<TestOutcome>
      id={id}
      action={action}
      size="sm"
      className="grid max-w-72 justify-items-end gap-2"
      submit={
        <>
          Send test<span className="sr-only"> to {name}</span>
        </>
      }
    >
      {({ result }) =>
        result !== undefined && (
          <p role="status" className="text-xs12">
            <State look={result.look}>Test {result.text}</State>
          </p>
        )
      }
    </ActionForm>
  );
}

function listColumns(nowMs: number): readonly Column<WebhookDelivery>[] {
  return [
    { heading: "Time", cell: ({ atMs }) => <LogTime atMs={atMs} /> },
    { heading: "Message", cell: ({ message, isTest }) => (isTest ? "test" : message) },
    {
      heading: "Outcome",
      cell: (delivery) => <State look={describeOutcome(delivery, nowMs).look}>{delivery.state}</State>,
    },
    { heading: "Tries", cell: ({ tries }) => `${tries} of ${MAX_TRIES}` },
    {
      heading: "Next try",
      cell: ({ state, dueAtMs }) => (state !== "pending" || dueAtMs === null ? "–" : <LogTime atMs={dueAtMs} />),
    },
    { heading: "Response", cell: (delivery) => <Response delivery={delivery} /> },
  ];
}

function Response({ delivery: { responseStatus, responseText, durationMs, error } }: { delivery: WebhookDelivery }) {
  if (error !== null) return <span className="text-down">{error}</span>;
  if (responseStatus === null) return <span className="text-dim">–</span>;
  return (
    <>
      <span className="tabular-nums">{`${responseStatus} in ${durationMs ?? 0} ms`}</span>
      {responseText !== null && responseText !== "" && (
        <Figure className="block text-2xs text-faint [overflow-wrap:anywhere]">{responseText}</Figure>
      )}
    </>
  );
}

function describeLoss(alerts: number): string {
  const waiting = "Messages that are not sent yet are not sent.";
  if (alerts === 0) return `No alert uses it. ${waiting}`;
  return `${alerts === 1 ? "One alert uses it and stays" : `${alerts} alerts use it and stay`}. ${waiting}`;
}

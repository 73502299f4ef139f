"use client";

import { Bell, BellRing } from "lucide-react";
import { useState } from "react";
import { playSound, requestPermission } from "@/components/shared/notify";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { EventFilter } from "@/features/calendar/day-groups";
import { changeReminders, useReminders } from "@/features/calendar/reminder-store";
import { formatFilter, MOST_FILTERS, type Reminders, writeFilter } from "@/features/calendar/reminders";

/** The button "Remind me", and the dialog of this browser's reminders. */
export function ReminderSettings({ filter }: { filter: EventFilter }) {
  const [open, setOpen] = useState(false);
  const reminders = useReminders();
  const hasAny = reminders.filters.length > 0 || Object.keys(reminders.events).length > 0;
  const Icon = hasAny ? BellRing : Bell;
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        <Icon aria-hidden size={14} className={hasAny ? "text-accent-ink" : ""} />
        Remind me
      </Button>
      <Dialog open={open} title="Reminders five minutes before" onDismiss={() => setOpen(false)}>
        <Settings filter={writeFilter(filter)} reminders={reminders} />
        <div className="mt-5 flex justify-end">
          <Button onClick={() => setOpen(false)}>Done</Button>
        </div>
      </Dialog>
    </>
  );
}

function Settings({ filter, reminders: { filters, events, hasSound } }: { filter: string; reminders: Reminders }) {
  const [isStored, setIsStored] = useState(true);
  const change = (next: (reminders: Reminders) => Reminders) => setIsStored(changeReminders(next));
  const count = Object.keys(events).length;
  const isFull = filters.length >= MOST_FILTERS;
  return (
    <div className="mt-1 grid gap-4">
      <p className="text-dim">
        Five minutes before an event, a notice appears on the open page and, if you allow it, as a notification of your
        browser. This works while Spotline is open in a tab of this browser, and your choice stays in this browser.
      </p>
      {!isStored && <p className="text-down">This browser does not let the page store reminders.</p>}
      <div className="grid gap-1.5">
        {filters.map((each) => (
          <p key={each} className="flex items-center justify-between gap-3">
            {formatFilter(each)}
            <Button
              size="sm"
              aria-label={`Remove ${formatFilter(each)}`}
              onClick={() =>
                change((before) => ({ ...before, filters: before.filters.filter((other) => other !== each) }))
              }
            >
              Remove
            </Button>
          </p>
        ))}
        {count > 0 && (
          <p className="flex items-center justify-between gap-3">
            {count === 1 ? "One single event" : `${count} single events`}
            <Button
              size="sm"
              aria-label="Remove single events"
              onClick={() => change((before) => ({ ...before, events: {} }))}
            >
              Remove
            </Button>
          </p>
        )}
        {filters.length === 0 && count === 0 && <p className="text-faint">You have no reminders.</p>}
      </div>
      {!filters.includes(filter) && (
        <Button
          look="primary"
          disabled={isFull}
          onClick={async () => {
            change((before) => ({ ...before, filters: [...before.filters, filter] }));
            await requestPermission();
          }}
        >
          {isFull ? `At most ${MOST_FILTERS} filters` : `Remind me of: ${formatFilter(filter)}`}
        </Button>
      )}
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          checked={hasSound}
          onChange={({ target }) => {
            change((before) => ({ ...before, hasSound: target.checked }));
            if (target.checked) playSound();
          }}
          className="size-4 accent-accent"
        />
        Play a sound
      </label>
    </div>
  );
}

/** Sets or removes the reminder of one event. */
export function EventReminder({ id, timeMs }: { id: string; timeMs: number }) {
  const { events } = useReminders();
  const isSet = id in events;
  async function toggle(): Promise<void> {
    changeReminders((before) => {
      const others = Object.entries(before.events).filter(([each]) => each !== id);
      return { ...before, events: Object.fromEntries(isSet ? others : [...others, [id, timeMs]]) };
    });
    if (!isSet) await requestPermission();
  }
  const Icon = isSet ? BellRing : Bell;
  return (
    <Button size="sm" aria-pressed={isSet} onClick={() => void toggle()}>
      <Icon aria-hidden size={14} className={isSet ? "text-accent-ink" : ""} />
      Remind me 5 minutes before
    </Button>
  );
}

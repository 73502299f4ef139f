"use client";

import { createBrowserStore } from "@/components/shared/browser-store";
import { dropOld, NO_REMINDERS, parseReminders } from "@/features/calendar/reminders";

/** The reminders in this browser's storage. */
const store = createBrowserStore({
  name: "spotline-reminders",
  empty: NO_REMINDERS,
  parse: parseReminders,
  tidy: dropOld,
});

export const readReminders = store.read;
/** Changes the stored reminders. Returns whether they could be stored. */
export const changeReminders = store.change;
export const useReminders = store.use;

"use client";

import dynamic from "next/dynamic";
import { useReminders } from "@/features/calendar/reminder-store";

const DueReminders = dynamic(() => import("@/features/calendar/due-reminders").then((each) => each.DueReminders));

/** Reminds of events on every page of the dashboard. Without a reminder it loads nothing. */
export function ReminderWatch() {
  const { events, filters } = useReminders();
  return (filters.length > 0 || Object.keys(events).length > 0) && <DueReminders />;
}

import { PageHeader } from "@/components/shell/page-header";
import { Skeleton } from "@/components/ui/skeleton";

import "@/features/calendar/calendar.css";

export default function CalendarLoading() {
  return (
    <>
      <PageHeader title="Calendar" />
      <p role="status" className="sr-only">
        Loading the calendar
      </p>
      <div className="calendar-toolbar">
        <Skeleton className="h-8 w-full max-w-3xl" />
      </div>
      {Array.from({ length: 14 }, (_, row) => (
        <div key={row} className="calendar-row" aria-hidden>
          <Skeleton className="h-3.5 w-10" />
          <Skeleton className="h-3.5 w-8" />
          <Skeleton className="h-3.5 w-4" />
          <Skeleton className="h-3.5 w-3/5" />
        </div>
      ))}
    </>
  );
}

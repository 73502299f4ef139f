import { PageHeader } from "@/components/shell/page-header";
import { Skeleton } from "@/components/ui/skeleton";
import { CALENDAR_ROW_CLASS, CALENDAR_TOOLBAR_CLASS } from "@/features/calendar/classes";

export default function CalendarLoading() {
  return (
    <>
      <PageHeader title="Calendar" />
      <p role="status" className="sr-only">
        Loading the calendar
      </p>
      <div className={CALENDAR_TOOLBAR_CLASS}>
        <Skeleton className="h-8 w-full max-w-3xl" />
      </div>
      {Array.from({ length: 14 }, (_, row) => (
        <div key={row} className={CALENDAR_ROW_CLASS} aria-hidden>
          <Skeleton className="h-3.5 w-10" />
          <Skeleton className="h-3.5 w-8" />
          <Skeleton className="h-3.5 w-4" />
          <Skeleton className="h-3.5 w-3/5" />
        </div>
      ))}
    </>
  );
}

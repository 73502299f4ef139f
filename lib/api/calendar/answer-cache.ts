import type { CalendarWindow } from "@/lib/api/calendar/calendar-query";
import type { Handled } from "@/lib/api/engine/answer";
import type { Calendar } from "@/lib/calendar/calendar";

/** The inputs of an answer. A cached answer is valid while none of them changes. */
export interface AnswerBasis {
  readonly calendar: Calendar;
  readonly window: CalendarWindow;
  readonly withActual: boolean;
}

interface CachedAnswer {
  readonly answer: Handled;
  readonly revision: number;
  readonly basis: AnswerBasis;
}

/**
 * Caches answers of the calendar by their validated query, which is the same object for the same query string (see
 * input.ts). Answers with and without actuals are in separate maps, so that they cannot be confused.
 */
export function createAnswerCache<Query extends object>() {
  const withActuals = new WeakMap<Query, CachedAnswer>();
  const withoutActuals = new WeakMap<Query, CachedAnswer>();
  const selectMap = ({ withActual }: AnswerBasis) => (withActual ? withActuals : withoutActuals);
  return {
    find(query: Query, basis: AnswerBasis): Handled | undefined {
      const cached = selectMap(basis).get(query);
      const { calendar, window } = basis;
      if (cached === undefined || cached.revision !== calendar.revision || cached.basis.calendar !== calendar) {
        return undefined;
      }
      const { fromMs, toMs } = cached.basis.window;
      return fromMs === window.fromMs && toMs === window.toMs ? cached.answer : undefined;
    },
    /** @param revision the calendar's revision before its events were read */
    store(query: Query, basis: AnswerBasis, revision: number, answer: Handled): Handled {
      selectMap(basis).set(query, { answer, revision, basis });
      return answer;
    },
  };
}

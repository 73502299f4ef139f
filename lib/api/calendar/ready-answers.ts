import { createHash } from "node:crypto";
import type { CalendarWindow } from "@/lib/api/calendar/calendar-window";
import type { Handled } from "@/lib/api/engine/endpoint";
import type { Calendar } from "@/lib/calendar/calendar";

/** What an answer was made of, and that holds for as long as all of it is still so. */
export interface AnswerBasis {
  readonly calendar: Calendar;
  readonly window: CalendarWindow;
  readonly withActual: boolean;
}

interface Ready {
  readonly answer: Handled;
  readonly revision: number;
  readonly basis: AnswerBasis;
}

/**
 * Answers of the calendar by the query they belong to, which is the same object for the same text. Those with actuals
 * and those without are kept apart from each other, so that neither can ever be taken for the other.
 */
export function createReadyAnswers<Query extends object>() {
  const withActuals = new WeakMap<Query, Ready>();
  const withoutActuals = new WeakMap<Query, Ready>();
  const selectMap = ({ withActual }: AnswerBasis) => (withActual ? withActuals : withoutActuals);
  return {
    find(query: Query, basis: AnswerBasis): Handled | undefined {
      const known = selectMap(basis).get(query);
      const { calendar, window } = basis;
      if (known === undefined || known.revision !== calendar.revision || known.basis.calendar !== calendar) {
        return undefined;
      }
      const { fromMs, toMs } = known.basis.window;
      return fromMs === window.fromMs && toMs === window.toMs ? known.answer : undefined;
    },
    /** @param revision the calendar's when the answer was begun */
    keep(query: Query, basis: AnswerBasis, revision: number, answer: Handled): Handled {
      selectMap(basis).set(query, { answer, revision, basis });
      return answer;
    },
  };
}

/** A strong entity tag of a body. */
export function createEtag(body: Uint8Array): string {
  return `"${createHash("sha1").update(body).digest("base64url")}"`;
}

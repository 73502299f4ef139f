/** The line of filters. */
export const CALENDAR_TOOLBAR_CLASS =
  "flex flex-wrap items-center gap-x-4 gap-y-1.5 px-4 pt-2 pb-2.5 max-md:px-3 max-md:pt-1.5 max-md:pb-2";

/** A row is a grid of its own, so that it folds into two lines on a phone. */
export const CALENDAR_ROW_CLASS =
  "grid min-h-8.5 grid-cols-[4.5rem_4.25rem_3.75rem_minmax(0,1fr)_6.5rem_5.5rem_9rem] items-center border-b border-line px-4 max-md:grid-cols-[3.25rem_2.5rem_1.5rem_6.25rem_minmax(0,1fr)] max-md:gap-x-1.5 max-md:gap-y-0.5 max-md:px-3 max-md:py-1.5";

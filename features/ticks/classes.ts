import { PLOT_CLASS } from "@/components/ui/chart-axes";

/** The body below the toolbar. */
export const BODY_CLASS = "grid grid-cols-1 gap-3.5 border-t border-line px-4 py-3.5 max-md:p-3";

/** The line above the chart. */
export const FACTS_CLASS = "flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5 text-xs13 text-dim";

/** The chart, as high as the window allows. */
export const HISTORY_PLOT_CLASS = `h-[clamp(15rem,48dvh,30rem)] ${PLOT_CLASS}`;

/** "2026-11-21 13:05", UTC. */
export const formatDateTime = (ms: number) => new Date(ms).toISOString().slice(0, 16).replace("T", " ");

/** "13:05", UTC. */
export const formatMinute = (ms: number) => new Date(ms).toISOString().slice(11, 16);

/** "13:05:09.123", UTC. */
export const formatMillisecond = (ms: number) => new Date(ms).toISOString().slice(11, 23);

/** "13:05:09", UTC. */
export const formatSecond = (ms: number) => new Date(ms).toISOString().slice(11, 19);

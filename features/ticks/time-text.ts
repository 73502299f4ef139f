/** "2026-11-21 13:05", UTC. */
export const formatDateTime = (ms: number) => new Date(ms).toISOString().slice(0, 16).replace("T", " ");

/** "13:05", UTC. */
export const formatMinute = (ms: number) => new Date(ms).toISOString().slice(11, 16);

/** "13:05:09", UTC. */
export const formatSecond = (ms: number) => new Date(ms).toISOString().slice(11, 19);

/** "2026-11-21 13:05", UTC. */
export const dateText = (ms: number) => new Date(ms).toISOString().slice(0, 16).replace("T", " ");

/** "13:05", UTC. */
export const minuteText = (ms: number) => new Date(ms).toISOString().slice(11, 16);

/** "13:05:09", UTC. */
export const secondText = (ms: number) => new Date(ms).toISOString().slice(11, 19);

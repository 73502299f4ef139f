/** The request headers that may decide on an answer, in the order of Vary. */
const NAMES = ["Accept", "Accept-Encoding", "Origin"] as const;

/** The lines of every combination, by their bits: no answer formats one. */
const LINES = Array.from({ length: 2 ** NAMES.length }, (_, bits) => {
  const names = NAMES.filter((_name, at) => (bits & (1 << at)) !== 0);
  return names.length === 0 ? "" : `Vary: ${names.join(", ")}\r\n`;
});

/** Formats the header Vary: which headers of a request decide on the format, the compression and CORS of its answer. */
export function formatVary(byFormat: boolean, byCoding: boolean, byOrigin: boolean): string {
  return LINES[(byFormat ? 1 : 0) | (byCoding ? 2 : 0) | (byOrigin ? 4 : 0)] as string;
}

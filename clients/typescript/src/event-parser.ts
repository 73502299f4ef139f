/** One server-sent event. */
export interface ServerEvent {
  readonly name: string;
  readonly data: string;
  /** The position after this event; null if it has none. */
  readonly id: string | null;
  /** When to connect again, in milliseconds; null if it does not say. */
  readonly retryMs: number | null;
  /** The whole event as it was sent, without the empty line. */
  readonly text: string;
}

/** More characters than any event has: a server that sends them without an end is none. */
const MAX_EVENT_LENGTH = 16 * 1024 * 1024;

/** Reads server-sent events from text that arrives in any pieces. An event that is cut off is never returned. */
export class EventParser {
  #text = "";

  push(text: string): ServerEvent[] {
    const parts = (this.#text + text).split(/\r?\n\r?\n/);
    this.#text = parts.pop() ?? "";
    if (this.#text.length > MAX_EVENT_LENGTH) throw new Error("The stream sent an event that is too long.");
    return parts.map(readEvent);
  }
}

function readEvent(part: string): ServerEvent {
  let name = "message";
  const data: string[] = [];
  let id: string | null = null;
  let retryMs: number | null = null;
  for (const line of part.split(/\r?\n/)) {
    const colon = line.indexOf(":");
    if (colon < 1) continue;
    const value = line.slice(colon + 1).replace(/^ /, "");
    const field = line.slice(0, colon);
    if (field === "event") name = value;
    else if (field === "data") data.push(value);
    else if (field === "id") id = value;
    else if (field === "retry" && /^\d+$/.test(value)) retryMs = Number(value);
  }
  return { name, data: data.join("\n"), id, retryMs, text: part };
}

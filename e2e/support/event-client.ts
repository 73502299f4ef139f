import { type ClientRequest, type IncomingMessage, request } from "node:http";

/** A client of server-sent events, as small as the standard allows. */

export interface StreamEvent {
  readonly name: string;
  readonly data: unknown;
}

/** Reads events from text that arrives in any pieces. */
export class EventParser {
  lastId: string | null = null;
  retryMs: number | null = null;
  #text = "";

  push(text: string): StreamEvent[] {
    this.#text += text;
    const parts = this.#text.split("\n\n");
    this.#text = parts.pop() ?? "";
    return parts.flatMap((part) => this.#read(part));
  }

  /** Forgets an event that was cut off. */
  dropRest(): void {
    this.#text = "";
  }

  #read(part: string): StreamEvent[] {
    const fields = new Map(
      part.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
    );
    this.lastId = fields.get("id") ?? this.lastId;
    const retry = fields.get("retry");
    if (retry !== undefined) this.retryMs = Number(retry);
    const data = fields.get("data");
    return data === undefined ? [] : [{ name: fields.get("event") ?? "message", data: JSON.parse(data) as unknown }];
  }
}

export interface Quote {
  readonly symbol: string;
  readonly bid: number;
  readonly ask: number;
  readonly timestamp: string;
}

interface State {
  readonly symbol: string;
  readonly state: string;
}

/** What a client holds of the prices: it applies snapshots and changes. */
export class Holding {
  readonly quotes = new Map<string, Quote>();
  readonly states = new Map<string, string>();

  apply({ name, data }: StreamEvent): void {
    if (name === "snapshot" || name === "update") {
      const { quotes, states } = data as { quotes: Quote[]; states: State[] };
      if (name === "snapshot") {
        this.quotes.clear();
        this.states.clear();
      }
      for (const quote of quotes) this.quotes.set(quote.symbol, quote);
      for (const state of states) this.#applyState(state);
    } else if (name === "quote") this.quotes.set((data as Quote).symbol, data as Quote);
    else if (name === "state") this.#applyState(data as State);
  }

  #applyState({ symbol, state }: State): void {
    this.states.set(symbol, state);
    if (state === "none") this.quotes.delete(symbol);
  }
}

export interface EventStream {
  readonly status: number;
  readonly response: IncomingMessage;
  readonly events: StreamEvent[];
  readonly parser: EventParser;
  readonly holding: Holding;
  /** The body of an answer that is no stream. */
  text(): string;
  readonly ended: Promise<void>;
  close(): void;
}

/** Opens a stream. Resolves with the head of the answer. */
export function openEvents(url: string, headers: Readonly<Record<string, string>>): Promise<EventStream> {
  return new Promise((resolve, reject) => {
    const call: ClientRequest = request(url, { headers, agent: false }, (response) => {
      const parser = new EventParser();
      const holding = new Holding();
      const events: StreamEvent[] = [];
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
        for (const event of parser.push(chunk)) {
          events.push(event);
          holding.apply(event);
        }
      });
      response.on("error", () => {});
      const ended = new Promise<void>((end) => response.once("close", end));
      const status = response.statusCode ?? 0;
      resolve({ status, response, events, parser, holding, text: () => text, ended, close: () => call.destroy() });
    });
    call.on("error", reject);
    call.end();
  });
}

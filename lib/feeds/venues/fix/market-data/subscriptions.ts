import type { Connection } from "@/lib/feeds/live/connector";
import type { FixMessage } from "@/lib/feeds/venues/fix/messages/fix-message";
import { TAG, TYPE } from "@/lib/feeds/venues/fix/messages/tags";
import type { FixField } from "@/lib/feeds/venues/fix/messages/write-message";

/** How a venue wants its prices to be requested. */
export interface RequestForm {
  /** A name in Symbol (55), the venue's number in Symbol, or the venue's number in SecurityID (48 with 22=8). */
  readonly symbolForm: "name" | "number" | "security";
  /** MarketDepth (264): 1 is the best price, 0 the whole book. */
  readonly marketDepth: 0 | 1;
  /** MDUpdateType (265): 0 asks for whole snapshots, 1 for changes. */
  readonly updateType: 0 | 1;
  readonly symbolsPerRequest: number;
}

interface Request {
  /** MDReqID. */
  readonly id: string;
  /** MsgSeqNum of the message; 0 until it is sent. */
  number: number;
  readonly symbols: readonly string[];
}

/** Venues limit the rate of messages: at LMAX, too many end the connection. */
const REQUESTS_PER_TICK = 25;

/** MDReqRejReason (281), for venues that give no text. */
const REASONS: Readonly<Record<string, string>> = {
  0: "unknown symbol",
  1: "duplicate request",
  2: "insufficient bandwidth",
  3: "insufficient permissions",
  4: "unsupported subscription type",
  5: "unsupported market depth",
  6: "unsupported update type",
};

/** The requests of one connection for market data, and which of them the venue refused. */
export class Subscriptions {
  readonly #connection: Connection;
  readonly #form: RequestForm;
  readonly #requests: readonly Request[];
  #sent = 0;
  readonly #refused = new Set<Request>();
  /** The symbol of each request that has only one, by its MDReqID. */
  readonly #symbolById = new Map<string, string>();

  constructor(connection: Connection, form: RequestForm, symbols: readonly string[]) {
    this.#connection = connection;
    this.#form = form;
    const count = Math.ceil(symbols.length / form.symbolsPerRequest);
    this.#requests = Array.from({ length: count }, (_, index) => {
      const part = symbols.slice(index * form.symbolsPerRequest, (index + 1) * form.symbolsPerRequest);
      return { id: String(index + 1), number: 0, symbols: part };
    });
    for (const { id, symbols: part } of this.#requests) {
      if (part[0] !== undefined && part.length === 1) this.#symbolById.set(id, part[0]);
    }
  }

  /**
   * Sends the next requests. To be called twice a second.
   *
   * @param send sends a message and returns its number
   */
  tick(send: (type: string, fields: readonly FixField[]) => number): void {
    if (this.#sent === this.#requests.length) return;
    const next = this.#requests.slice(this.#sent, this.#sent + REQUESTS_PER_TICK);
    for (const request of next) request.number = send(TYPE.marketDataRequest, this.#listFields(request));
    this.#sent += next.length;
  }

  /** The symbol of a message without one: that of its request. Undefined if the request has several. */
  findSymbol(id: string | undefined): string | undefined {
    return id === undefined ? undefined : this.#symbolById.get(id);
  }

  /** Reads a Reject, a BusinessMessageReject or a MarketDataRequestReject. Throws once the venue refused all requests. */
  readRefusal(message: FixMessage): void {
    const text = message.readText(TAG.text) || REASONS[message.get(TAG.mdReqRejReason) ?? ""] || "no reason given";
    const [id, number] = [message.get(TAG.mdReqId), message.readInteger(TAG.refSeqNum)];
    const request = this.#requests.find((each) => (id === undefined ? each.number === number : each.id === id));
    if (request === undefined) return this.#connection.warn(`a message was refused: ${text}`);
    this.#connection.warn(`${request.symbols.join(", ")}: ${text}`);
    this.#refused.add(request);
    if (this.#refused.size === this.#requests.length) throw new Error(`the venue refused every request: ${text}`);
  }

  #listFields({ id, symbols }: Request): FixField[] {
    const { symbolForm, marketDepth, updateType } = this.#form;
    return [
      [TAG.mdReqId, id],
      [TAG.subscriptionRequestType, 1],
      [TAG.marketDepth, marketDepth],
      [TAG.mdUpdateType, updateType],
      [TAG.noMdEntryTypes, 2],
      [TAG.mdEntryType, 0],
      [TAG.mdEntryType, 1],
      [TAG.noRelatedSym, symbols.length],
      ...symbols.flatMap((symbol): FixField[] =>
        symbolForm === "security"
          ? [
              [TAG.securityId, symbol],
              [TAG.securityIdSource, 8],
            ]
          : [[TAG.symbol, symbol]],
      ),
    ];
  }
}

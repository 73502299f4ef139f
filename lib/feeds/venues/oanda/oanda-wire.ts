import type { OpenWire, TlsTrust, Wire } from "@/lib/feeds/live/connector";
import { openHttpWire } from "@/lib/feeds/live/http-wire";
import { chooseSymbols } from "@/lib/feeds/venues/choose-symbols";
import type { OandaApi } from "@/lib/feeds/venues/oanda/oanda-api";

interface Options extends TlsTrust {
  readonly api: OandaApi;
  /** Null for all of the account that the catalog has. */
  readonly symbols: readonly string[] | null;
  readonly warn: (problem: string) => void;
}

/**
 * Returns a wire that asks for the account's instruments, then opens the stream of those to quote: one instrument that
 * the account does not have would end the whole stream.
 */
export function openOandaWire({ api, symbols, warn, ca }: Options): OpenWire {
  return (events) => {
    const ending = new AbortController();
    let stream: Wire | undefined;
    async function open() {
      const instruments = chooseSymbols(await api.listInstruments(ending.signal), symbols, warn);
      if (ending.signal.aborted) return;
      stream = openHttpWire({ url: api.getStreamUrl(instruments), headers: api.headers, ca })(events);
    }
    open().catch((error: unknown) => {
      if (!ending.signal.aborted) events.closed(error as Error);
    });
    return {
      send() {
        throw new Error("Nothing can be sent over the body of a response");
      },
      destroy() {
        ending.abort();
        stream?.destroy();
      },
    };
  };
}

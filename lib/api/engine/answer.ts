import type { Coding } from "@/lib/api/engine/negotiation";
import type { PriceStream } from "@/lib/api/stream/price-stream";

export interface Answer {
  readonly status: number;
  /** Header lines, each ended by CRLF: the node host sends the text as it is. The host adds Content-Length. */
  readonly headers: string;
  /** Text or bytes. */
  readonly body: string | Uint8Array;
  /** Whether the body is ASCII, so that its length in bytes is its length in characters. */
  readonly isAscii: boolean;
  /** See Handled. */
  readonly stream?: PriceStream | undefined;
  /** See Handled. */
  readonly file?: FileBody | undefined;
}

/** A part of a file, up to before `end`. */
export interface FileBody {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

export interface Handled {
  readonly status?: number;
  /** Text or bytes; JSON unless `contentType` is set. */
  readonly body: string | Uint8Array;
  /** The rows of the table, which is written from `body` otherwise: where parsing that would take long. */
  readonly rows?: readonly Row[];
  readonly contentType?: string;
  /** See Answer. Only for bodies of numbers and our own names. */
  readonly isAscii?: boolean;
  /** Further header lines, each ended by CRLF. */
  readonly headers?: string;
  /** A stream of prices: the host sends the head, and opens it on the connection instead of sending a body. */
  readonly stream?: PriceStream;
  /** A file: the host sends it instead of a body, as fast as the client reads. */
  readonly file?: FileBody;
  /** A strong entity tag: clients may cache the answer and revalidate it. */
  readonly etag?: string | undefined;
  /** The compression that the body has already. */
  readonly coding?: Coding;
}

export type Row = Readonly<Record<string, unknown>>;

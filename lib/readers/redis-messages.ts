import type { Changes, Snapshot } from "@/lib/readers/messages";
import type { ServerStatus } from "@/lib/readers/server-status";

/** What writers and readers on other machines exchange over Redis. */

/** The changes, and what a writer answers. It is shared by all readers. */
export const CHANGES_STREAM = "spotline:changes";
/** What readers request. */
export const REQUESTS_STREAM = "spotline:reader-requests";

/** Readers request this often, so that a writer without readers publishes nothing. */
export const REQUEST_EVERY_MS = 1_000;

export interface ReaderRequest {
  readonly wantsSnapshot: boolean;
}

export interface PublishedMessage {
  /** The number under which the writer records. Each writer that takes over has a higher one. */
  readonly fence: number;
  readonly message: Snapshot | Changes | { readonly type: "status"; readonly status: ServerStatus };
}

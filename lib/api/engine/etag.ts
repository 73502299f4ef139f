import { createHash, type Hash } from "node:crypto";
import type { Handled } from "@/lib/api/engine/answer";
import { slices } from "@/lib/platform/timing/slices";

/** Computes a value once for each object; the context only serves the computation. */
export function memoizeByIdentity<Key extends object, Context, Value>(compute: (key: Key, context: Context) => Value) {
  const values = new WeakMap<Key, Value>();
  return (key: Key, context: Context): Value => {
    let value = values.get(key);
    if (value === undefined) {
      value = compute(key, context);
      values.set(key, value);
    }
    return value;
  };
}

/** Formats UTC milliseconds to the second; one text serves all calls of a second. */
export function memoizeBySecond(format: (secondMs: number) => string) {
  let memoSecond = NaN;
  let text = "";
  return (timeMs: number): string => {
    const second = Math.floor(timeMs / 1000);
    if (second !== memoSecond) {
      memoSecond = second;
      text = format(second * 1000);
    }
    return text;
  };
}

/** Creates a strong entity tag for a body; once for the same bytes object. */
export function createEtag(body: string | Uint8Array): string {
  return typeof body === "string" ? hash(body) : hashBytes(body);
}

function hash(body: string | Uint8Array): string {
  return formatTag(createHash("sha1").update(body));
}

function formatTag(sum: Hash): string {
  return `"${sum.digest("base64url")}"`;
}

/** What is hashed at a time: less than a millisecond. */
const PART_BYTES = 512 * 1024;

/** Creates the same tag for a body of megabytes, which is hashed in several turns of the event loop. */
export async function createLongEtag(body: string | Uint8Array): Promise<string> {
  if (body.length <= PART_BYTES || typeof body === "string") return createEtag(body);
  const sum = createHash("sha1");
  await slices.map(splitBytes(body), (part) => void sum.update(part));
  return formatTag(sum);
}

function* splitBytes(body: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < body.length; at += PART_BYTES) yield body.subarray(at, at + PART_BYTES);
}

const hashBytes = memoizeByIdentity<Uint8Array, void, string>(hash);

/** Gives an answer an entity tag if it is closed: if the same call will have the same body. */
export function tagClosed(handled: Handled, isClosed: boolean): Handled {
  return isClosed ? { ...handled, etag: createEtag(handled.body) } : handled;
}

/** Weak, because the same answer exists uncompressed (RFC 9110, 8.8.3.3). */
export function weakenEtag(etag: string): string {
  return `W/${etag}`;
}

const TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** Whether an If-None-Match header, `*` or a list of tags, names this strong tag by the weak comparison (RFC 9110, 13.1.2). */
export function matchesEtag(header: string, etag: string): boolean {
  if (header === etag || header.trim() === "*") return true;
  for (const [, tag] of header.matchAll(TAG)) if (tag === etag) return true;
  return false;
}

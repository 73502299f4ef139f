import { AccessError } from "@/lib/access/access-error";
import type { Passkey as PasskeyRow } from "@/prisma/generated/client";

/** A passkey as its owner sees it. Nothing in it is secret. */
export interface Passkey {
  readonly id: string;
  readonly name: string;
  /** Times in UTC milliseconds. */
  readonly createdAtMs: number;
  /** Null if it was never used. */
  readonly lastUsedAtMs: number | null;
  /** Whether its owner's other devices have a copy, may get one, or never do. */
  readonly backup: "backed-up" | "not-yet" | "device-bound";
}

/** Where passkeys are valid: browsers use them only on this host, and only for pages of this origin. */
export interface PasskeySite {
  /** The relying party's id, a host name: "prices.example.com". */
  readonly host: string;
  /** "https://prices.example.com". */
  readonly origin: string;
}

/** What a browser needs to create or use a passkey. */
export interface PasskeyChallenge<Options> {
  readonly options: Options;
  /** Sealed; the browser sends it back with its response. */
  readonly ticket: string;
}

/** What a browser sends back. All of it may be forged. */
export interface PasskeyAnswer {
  readonly site: PasskeySite;
  readonly ticket: string;
  /** The response of the browser, as JSON. */
  readonly response: string;
  /** The session or browser that requested the challenge. */
  readonly boundTo: string;
}

const MAX_NAME_LENGTH = 60;

export function toPasskey({ id, name, createdAt, lastUsedAt, canBackUp, backedUp }: PasskeyRow): Passkey {
  const backup = backedUp ? "backed-up" : canBackUp ? "not-yet" : "device-bound";
  return { id, name, backup, createdAtMs: createdAt.getTime(), lastUsedAtMs: lastUsedAt?.getTime() ?? null };
}

/** Refuses control and zero-width characters: with them one name could look like another. */
export function checkName(text: string): string {
  const name = text.trim();
  const length = [...name].length;
  if (length < 1 || length > MAX_NAME_LENGTH || /[\p{C}\p{Zl}\p{Zp}]/u.test(name)) {
    throw new AccessError("invalid_name", `Give the passkey a name of 1 to ${MAX_NAME_LENGTH} visible characters.`);
  }
  return name;
}

/** The id by which authenticators store the account: the 16 bytes of its id, which says nothing about the person. */
export function toUserHandle(accountId: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(accountId.replaceAll("-", ""), "hex"));
}

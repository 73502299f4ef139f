import {
  createCipheriv,
  createECDH,
  createHmac,
  createPrivateKey,
  createSign,
  hkdfSync,
  type JsonWebKeyInput,
  randomBytes,
} from "node:crypto";
import { createSeal } from "@/lib/access/sign-in/tickets";
import type { Post } from "@/lib/alerts/send-post";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

/**
 * Messages to browsers, by the push service of each: encrypted as RFC 8291 defines (aes128gcm of RFC 8188), and signed
 * with the key of this installation as RFC 8292 (VAPID) defines.
 */

const CURVE = "prime256v1";
const KEY_BYTES = 65;
const SECRET_BYTES = 16;

/** What a browser gives for messages to it. The keys are base64url. */
export interface PushSubscription {
  readonly endpoint: string;
  /** The public key of the browser, an uncompressed point of P-256. */
  readonly p256dh: string;
  readonly auth: string;
}

/** Seals subscriptions, each for the id of its device. */
export function createPushSeal(sessionSecret: string) {
  return createSeal(sessionSecret, "push subscriptions");
}

/** Whether the keys of a subscription can be used. */
export function hasValidKeys({ p256dh, auth }: Omit<PushSubscription, "endpoint">): boolean {
  try {
    const key = Buffer.from(p256dh, "base64url");
    if (key.length !== KEY_BYTES || Buffer.from(auth, "base64url").length !== SECRET_BYTES) return false;
    const own = createECDH(CURVE);
    own.generateKeys();
    own.computeSecret(key);
    return true;
  } catch {
    return false;
  }
}

/** The key pair of the installation. */
export interface VapidKeys {
  /** An uncompressed point, base64url: what a browser subscribes with. */
  readonly publicKey: string;
  readonly privateKey: Buffer;
}

/** The order of P-256. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
/** 64 bits more than the order has, so that all keys are equally likely (FIPS 186-5, A.2.1). */
const SEED_BYTES = 40;

/** Derives the key pair from the secret of the installation: all processes have the same one, and nothing is stored. */
export function deriveVapidKeys(sessionSecret: string): VapidKeys {
  const seed = Buffer.from(hkdfSync("sha256", sessionSecret, "", "spotline web push", SEED_BYTES));
  const scalar = (BigInt(`0x${seed.toString("hex")}`) % (ORDER - 1n)) + 1n;
  const privateKey = Buffer.from(scalar.toString(16).padStart(64, "0"), "hex");
  const pair = createECDH(CURVE);
  pair.setPrivateKey(privateKey);
  return { publicKey: pair.getPublicKey("base64url"), privateKey };
}

/** How long a push service keeps a message for a device that is off. An old alert is of no use. */
const LIFE_MS = HOUR_MS;
/** Push services accept tokens of at most 24 hours. */
const TOKEN_LIFE_MS = 12 * HOUR_MS;

interface PushOptions {
  readonly keys: VapidKeys;
  /** Whom a push service may write to: a mailto: or https: address. */
  readonly contact: string;
  readonly nowMs: number;
}

/** Writes the call that delivers a text to a browser. */
export function writePushPost(
  subscription: PushSubscription,
  text: string,
  { keys, contact, nowMs }: PushOptions,
): Post {
  const { origin } = new URL(subscription.endpoint);
  const token = signToken({ aud: origin, exp: Math.floor((nowMs + TOKEN_LIFE_MS) / SECOND_MS), sub: contact }, keys);
  return {
    url: subscription.endpoint,
    headers: {
      "Content-Type": "application/octet-stream",
      "Content-Encoding": "aes128gcm",
      TTL: LIFE_MS / SECOND_MS,
      Urgency: "high",
      Authorization: `vapid t=${token}, k=${keys.publicKey}`,
    },
    body: encryptPush(subscription, text),
  };
}

/** A JSON Web Token with ES256. */
function signToken(claims: object, { privateKey, publicKey }: VapidKeys): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const content = `${encode({ typ: "JWT", alg: "ES256" })}.${encode(claims)}`;
  const point = Buffer.from(publicKey, "base64url");
  const jwk = {
    ...{ kty: "EC", crv: "P-256", d: privateKey.toString("base64url") },
    ...{ x: point.subarray(1, 33).toString("base64url"), y: point.subarray(33).toString("base64url") },
  };
  const key = createPrivateKey({ key: jwk, format: "jwk" } as JsonWebKeyInput);
  const signature = createSign("SHA256").update(content).sign({ key, dsaEncoding: "ieee-p1363" });
  return `${content}.${signature.toString("base64url")}`;
}

const SALT_BYTES = 16;
const RECORD_BYTES = 4_096;
/** Marks the last record. */
const LAST = Buffer.from([2]);
/** Push services accept 4,096 bytes, with the header of 86, the mark, and the tag of 16. */
const MOST_PUSH_BYTES = RECORD_BYTES - 86 - 1 - 16;

interface Chosen {
  readonly salt: Buffer;
  readonly privateKey: Buffer;
}

/** Encrypts a text of at most 3,993 bytes for a browser. `chosen` is random, except in tests. */
export function encryptPush({ p256dh, auth }: PushSubscription, text: string, chosen?: Chosen): Buffer {
  if (Buffer.byteLength(text) > MOST_PUSH_BYTES) throw new RangeError("The text is too long for a push message.");
  const receiver = Buffer.from(p256dh, "base64url");
  const own = createECDH(CURVE);
  if (chosen === undefined) own.generateKeys();
  else own.setPrivateKey(chosen.privateKey);
  const salt = chosen?.salt ?? randomBytes(SALT_BYTES);
  const sender = own.getPublicKey();
  // RFC 8291, section 3.4.
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), receiver, sender]);
  const shared = Buffer.from(hkdfSync("sha256", own.computeSecret(receiver), Buffer.from(auth, "base64url"), info, 32));
  // RFC 8188, section 2.
  const prk = createHmac("sha256", salt).update(shared).digest();
  const derive = (name: string, length: number) =>
    createHmac("sha256", prk).update(`Content-Encoding: ${name}\0\u0001`).digest().subarray(0, length);
  const cipher = createCipheriv("aes-128-gcm", derive("aes128gcm", 16), derive("nonce", 12));
  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD_BYTES);
  const encrypted = [cipher.update(text, "utf8"), cipher.update(LAST), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([salt, size, Buffer.from([sender.length]), sender, ...encrypted]);
}

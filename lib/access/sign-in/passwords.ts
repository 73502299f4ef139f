import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from "node:crypto";
import { AccessError } from "@/lib/access/access-error";

/**
 * Passwords are kept as scrypt hashes that carry their own parameters. One hash takes 32 MiB and a tenth of a second
 * or more, so only two are made at a time and a flood of sign-ins is turned away instead of starving the service.
 */

export const MIN_PASSWORD_LENGTH = 10;
const MAX_PASSWORD_LENGTH = 200;

const atOnce = 2;
const maxWaiting = 40;
const saltLength = 16;
const hashLength = 32;

interface Cost {
  /** Binary logarithm of scrypt's N. */
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

const defaultCost: Cost = { logN: 15, r: 8, p: 3 };

/** What is wrong with a new password, in one sentence; null when nothing is. Lengths are in characters. */
export function passwordProblem(password: string, email: string): string | null {
  const length = [...password].length;
  if (length < MIN_PASSWORD_LENGTH) {
    return `The password must have at least ${MIN_PASSWORD_LENGTH} characters; this one has ${length}.`;
  }
  if (length > MAX_PASSWORD_LENGTH) return `The password must have at most ${MAX_PASSWORD_LENGTH} characters.`;
  if (password.trim().toLowerCase() === email.trim().toLowerCase()) {
    return "The password must not be the e-mail address.";
  }
  return null;
}

export interface Passwords {
  /** A hash to store. Rejects with the AccessError "busy" when too many are waiting. */
  hash(password: string): Promise<string>;
  /** Whether the password is right. With no stored hash it does the same work and answers false. */
  verify(password: string, stored: string | null): Promise<boolean>;
}

export function createPasswords(cost: Cost = defaultCost): Passwords {
  const takeTurn = createTurnstile();
  return {
    async hash(password) {
      const salt = randomBytes(saltLength);
      const hash = await takeTurn(() => derive(password, salt, cost));
      const parameters = `ln=${cost.logN},r=${cost.r},p=${cost.p}`;
      return ["", "scrypt", parameters, salt.toString("base64url"), hash.toString("base64url")].join("$");
    },
    async verify(password, stored) {
      const read = stored === null ? null : readHash(stored);
      const { salt, hash, cost: ownCost } = read ?? nobody(cost);
      const derived = await takeTurn(() => derive(password, salt, ownCost));
      return timingSafeEqual(derived, hash) && read !== null;
    },
  };
}

interface StoredHash {
  readonly cost: Cost;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/** Stands in for an account that does not exist, so that answering takes as long as for one that does. */
const nobody = (cost: Cost): StoredHash => ({ cost, salt: Buffer.alloc(saltLength), hash: Buffer.alloc(hashLength) });

function readHash(stored: string): StoredHash | null {
  const match = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]+)\$([\w-]+)$/.exec(stored);
  if (match === null) return null;
  const [, logN, r, p, salt = "", hash = ""] = match;
  const read = Buffer.from(hash, "base64url");
  if (read.length !== hashLength) return null;
  return { cost: { logN: Number(logN), r: Number(r), p: Number(p) }, salt: Buffer.from(salt, "base64url"), hash: read };
}

/** The same characters typed on another keyboard may arrive composed differently; NFKC makes them equal. */
function derive(password: string, salt: Buffer, { logN, r, p }: Cost): Promise<Buffer> {
  const N = 2 ** logN;
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
  // Nobody has a password this long: it is cut before it costs anything, and cannot match.
  const text = password.slice(0, 4 * MAX_PASSWORD_LENGTH).normalize("NFKC");
  return new Promise((resolve, reject) => {
    scrypt(text, salt, hashLength, options, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}

function createTurnstile() {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async function takeTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running < atOnce) running += 1;
    else {
      if (waiting.length >= maxWaiting) {
        throw new AccessError("busy", "Too many people are signing in at once. Try again in a moment.");
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      // The turn passes straight to the next in line, so nobody can slip in between.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

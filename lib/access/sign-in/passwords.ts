import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from "node:crypto";
import { AccessError } from "@/lib/access/access-error";

/**
 * Passwords are stored as scrypt hashes with their parameters. One hash takes 32 MiB and at least a tenth of a second,
 * so only two are computed at a time, and a flood of sign-ins is refused instead of starving the service.
 */

export const MIN_PASSWORD_LENGTH = 10;
const MAX_PASSWORD_LENGTH = 200;

const MAX_CONCURRENT = 2;
const MAX_WAITING = 40;
const SALT_LENGTH = 16;
const HASH_LENGTH = 32;

interface Cost {
  /** Binary logarithm of scrypt's N. */
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

const DEFAULT_COST: Cost = { logN: 15, r: 8, p: 3 };

/** What is wrong with a new password, in one sentence, or null. Lengths are in characters. */
export function findPasswordProblem(password: string, email: string): string | null {
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
  /** Computes a hash to store. Rejects with the AccessError "busy" when too many are waiting. */
  hash(password: string): Promise<string>;
  /** Whether the password is right. Without a stored hash it does the same work and resolves with false. */
  verify(password: string, stored: string | null): Promise<boolean>;
}

export function createPasswords(cost: Cost = DEFAULT_COST): Passwords {
  const takeTurn = createSemaphore();
  return {
    async hash(password) {
      const salt = randomBytes(SALT_LENGTH);
      const hash = await takeTurn(() => derive(password, salt, cost));
      const parameters = `ln=${cost.logN},r=${cost.r},p=${cost.p}`;
      return ["", "scrypt", parameters, salt.toString("base64url"), hash.toString("base64url")].join("$");
    },
    async verify(password, stored) {
      const read = stored === null ? null : readHash(stored);
      const { salt, hash, cost: ownCost } = read ?? createDummyHash(cost);
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

/** Stands in for an account that does not exist, so that the answer takes as long as for one that does. */
function createDummyHash(cost: Cost): StoredHash {
  return { cost, salt: Buffer.alloc(SALT_LENGTH), hash: Buffer.alloc(HASH_LENGTH) };
}

function readHash(stored: string): StoredHash | null {
  const match = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]+)\$([\w-]+)$/.exec(stored);
  if (match === null) return null;
  const [, logN, r, p, salt = "", hash = ""] = match;
  const read = Buffer.from(hash, "base64url");
  if (read.length !== HASH_LENGTH) return null;
  return { cost: { logN: Number(logN), r: Number(r), p: Number(p) }, salt: Buffer.from(salt, "base64url"), hash: read };
}

/** NFKC, because another keyboard may compose the same characters differently. */
function derive(password: string, salt: Buffer, { logN, r, p }: Cost): Promise<Buffer> {
  const N = 2 ** logN;
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
  // A longer text cannot match, so it is cut to bound the work.
  const text = password.slice(0, 4 * MAX_PASSWORD_LENGTH).normalize("NFKC");
  return new Promise((resolve, reject) => {
    scrypt(text, salt, HASH_LENGTH, options, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}

function createSemaphore() {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async function takeTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running < MAX_CONCURRENT) running += 1;
    else {
      if (waiting.length >= MAX_WAITING) {
        throw new AccessError("busy", "Too many people are signing in at once. Try again in a moment.");
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      // The slot passes directly to the next caller, so a new call cannot take it first.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

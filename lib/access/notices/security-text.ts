/** The contents of a notice about the security of an account. Never a secret. */
export type SecurityFacts = KeyFacts | LinkFacts | SignInFacts | AccountFacts | PasskeyFacts;

/** One time that something happened. */
interface Occurrence {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The network address, if known. Null if an operator did it. */
  readonly address: string | null;
  readonly byOperator: boolean;
  /** Of a sign-in: "Firefox on Linux". */
  readonly browser?: string;
  /** Of a link, what it opens: "/v1/ohlc". */
  readonly path?: string;
}

interface Shared extends Occurrence {
  readonly kind: "security";
  /** What happened again in the same hour or day, oldest first: at most `MAX_LATER`. */
  readonly later?: readonly Occurrence[];
  /** Whether more happened than is listed. */
  readonly hasMore?: boolean;
}

export type KeyEvent = "key created" | "key rotated" | "key widened" | "key enabled" | "key restored";

interface KeyFacts extends Shared {
  readonly event: KeyEvent | "key used" | "key refused";
  /** The key; of a rotation the new one. */
  readonly keyId: string;
  readonly label: string;
}

interface LinkFacts extends Shared {
  readonly event: "link created";
  /** The key of the link. */
  readonly keyId: string;
  readonly label: string;
  readonly path: string;
}

interface SignInFacts extends Shared {
  readonly event: "sign-in";
  readonly browser: string;
}

interface AccountFacts extends Shared {
  readonly event: "second factor off" | "password changed";
}

export type PasskeyEvent = "passkey added" | "passkey removed" | "passkey refused";

interface PasskeyFacts extends Shared {
  readonly event: PasskeyEvent;
  /** Its name. */
  readonly passkey: string;
}

const MAX_LATER = 20;
const PASSWORD_ADVICE = "change your password, which ends all other sessions";

const ACCOUNT_TITLES = {
  "second factor off": "The second factor of your account is off",
  "password changed": "The password of your account was changed",
} as const;

const PASSKEY_TITLES = {
  "passkey added": "A passkey was added to your account",
  "passkey removed": "A passkey of your account was removed",
  "passkey refused": "A copy of your passkey may have been used",
} as const;

/** Returns the facts with one more occurrence; the same facts if they have it already. */
export function addOccurrence(facts: SecurityFacts, added: SecurityFacts): SecurityFacts {
  const { later = [] } = facts;
  const next = toOccurrence(added);
  const isKnown = [toOccurrence(facts), ...later].some((each) => isSame(facts.event, each, next));
  if (isKnown) return facts;
  return later.length < MAX_LATER ? { ...facts, later: [...later, next] } : { ...facts, hasMore: true };
}

/** Of the calls with a key, an address is listed once. */
function isSame(event: SecurityFacts["event"], one: Occurrence, other: Occurrence): boolean {
  if (event === "key used" || event === "key refused") return one.address === other.address;
  const names = ["at", "address", "byOperator", "browser", "path"] as const;
  return names.every((name) => one[name] === other[name]);
}

function toOccurrence({ at, address, byOperator, browser, path }: Occurrence): Occurrence {
  const details = { ...(browser === undefined ? {} : { browser }), ...(path === undefined ? {} : { path }) };
  return { at, address, byOperator, ...details };
}

export function formatSecurityTitle(facts: SecurityFacts): string {
  if (facts.event === "sign-in") return "Someone signed in to your account from a new place";
  if ("passkey" in facts) return `${PASSKEY_TITLES[facts.event]}: “${facts.passkey}”`;
  if (!("keyId" in facts)) return ACCOUNT_TITLES[facts.event];
  const key = `the key “${facts.label}”`;
  const titles = {
    "key created": `A key was created: “${facts.label}”`,
    "key rotated": `A new secret was made for ${key}`,
    "key widened": `More is allowed to ${key}`,
    "key enabled": `The key “${facts.label}” was enabled`,
    "key restored": `The key “${facts.label}” was restored`,
    "link created": `A link was created for ${key}`,
    "key used": `A new address uses ${key}`,
    "key refused": `A call with ${key} was refused`,
  } as const;
  return titles[facts.event];
}

export function formatSecurityText(facts: SecurityFacts): string {
  const { later = [], hasMore } = facts;
  const texts = [formatFirst(facts)];
  if (later.length > 0) texts.push(`Since then: ${later.map(formatLater).join("; ")}.`);
  if (hasMore === true) texts.push("More followed, which is not listed.");
  return texts.join(" ");
}

function formatLater({ at, address, byOperator, browser, path }: Occurrence): string {
  const by = byOperator ? "an operator" : (address ?? "an unknown address");
  return `${[browser ?? path, by].filter((word) => word !== undefined).join(", ")} at ${formatTime(at)}`;
}

function formatTime(at: string): string {
  return `${at.slice(0, 16).replace("T", " ")} UTC`;
}

function formatFirst(facts: SecurityFacts): string {
  const { event, at, address, byOperator, later = [] } = facts;
  const isByOperators = byOperator && later.every((each) => each.byOperator);
  const time = formatTime(at);
  const from = address === null ? "" : ` from ${address}`;
  const by = byOperator ? "By an operator" : `With your account${from}`;
  switch (event) {
    case "key created":
    case "key rotated":
    case "key widened":
    case "key enabled":
    case "key restored":
      return `${by}, at ${time}. ${isByOperators ? "" : `If that was not you, revoke the key and ${PASSWORD_ADVICE}.`}`.trim();
    case "key used":
      return (
        `The first call${from} came at ${time}. If you do not know this address, rotate the key. ` +
        "Other new addresses of the same day are added to this notice."
      );
    case "key refused":
      return (
        `The call${from} came at ${time}, and the key’s allow-list does not have that address. If the address is not ` +
        "yours, others have the key: rotate it. Other addresses of the same day are added to this notice."
      );
    case "link created":
      return (
        `It opens ${facts.path} without a key. ${by}, at ${time}.` +
        (isByOperators ? "" : ` If that was not you, revoke the link and ${PASSWORD_ADVICE}.`)
      );
    case "sign-in":
      return `${facts.browser}${from}, at ${time}. If that was not you, ${PASSWORD_ADVICE}.`;
    case "passkey added":
      return `${by}, at ${time}. It signs in without your password. If that was not you, remove it and ${PASSWORD_ADVICE}.`;
    case "passkey removed":
      return `${by}, at ${time}. ${isByOperators ? "" : `If that was not you, ${PASSWORD_ADVICE}.`}`.trim();
    case "passkey refused":
      return (
        `It was refused${from}, at ${time}: its counter was lower than at its last use, as that of a copy is. ` +
        "Remove the passkey and add a new one."
      );
    case "password changed":
      return `${by}, at ${time}. Other sessions ended. If you did not expect that, ask the operator of this installation.`;
    case "second factor off":
      return (
        `${by}, at ${time}. Your password alone is enough to sign in now.` +
        (isByOperators ? "" : ` If that was not you, ${PASSWORD_ADVICE}.`)
      );
  }
}

/** The dashboard page where the owner can act on it. */
export function findSecurityPath(facts: SecurityFacts): string {
  return "keyId" in facts ? `/keys/${facts.keyId}` : "/account";
}

/** The contents of a notice about the security of an account. Never a secret. */
export type SecurityFacts = KeyFacts | SignInFacts | AccountFacts | PasskeyFacts;

interface Shared {
  readonly kind: "security";
  /** When it happened: ISO 8601, UTC. */
  readonly at: string;
  /** The network address, if known. Null if an operator did it. */
  readonly address: string | null;
  readonly byOperator: boolean;
}

interface KeyFacts extends Shared {
  readonly event: "key created" | "key rotated" | "key widened" | "key used" | "key refused";
  /** The key; of a rotation the new one. */
  readonly keyId: string;
  readonly label: string;
}

interface SignInFacts extends Shared {
  readonly event: "sign-in";
  /** "Firefox on Linux". */
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

export function formatSecurityTitle(facts: SecurityFacts): string {
  if (facts.event === "sign-in") return "Someone signed in to your account from a new place";
  if ("passkey" in facts) return `${PASSKEY_TITLES[facts.event]}: “${facts.passkey}”`;
  if (!("keyId" in facts)) return ACCOUNT_TITLES[facts.event];
  const key = `the key “${facts.label}”`;
  const titles = {
    "key created": `A key was created: “${facts.label}”`,
    "key rotated": `A new secret was made for ${key}`,
    "key widened": `More is allowed to ${key}`,
    "key used": `A new address uses ${key}`,
    "key refused": `A call with ${key} was refused`,
  } as const;
  return titles[facts.event];
}

export function formatSecurityText(facts: SecurityFacts): string {
  const { event, at, address, byOperator } = facts;
  const time = `${at.slice(0, 16).replace("T", " ")} UTC`;
  const from = address === null ? "" : ` from ${address}`;
  const by = byOperator ? "By an operator" : `With your account${from}`;
  switch (event) {
    case "key created":
    case "key rotated":
    case "key widened":
      return `${by}, at ${time}. ${byOperator ? "" : `If that was not you, revoke the key and ${PASSWORD_ADVICE}.`}`.trim();
    case "key used":
      return (
        `The first call${from} came at ${time}. If you do not know this address, rotate the key. ` +
        "Other new addresses of the same day are not reported."
      );
    case "key refused":
      return (
        `The call${from} came at ${time}, and the key’s allow-list does not have that address. If the address is not ` +
        "yours, others have the key: rotate it. Further refusals of the same day are not reported."
      );
    case "sign-in":
      return `${facts.browser}${from}, at ${time}. If that was not you, ${PASSWORD_ADVICE}.`;
    case "passkey added":
      return `${by}, at ${time}. It signs in without your password. If that was not you, remove it and ${PASSWORD_ADVICE}.`;
    case "passkey removed":
      return `${by}, at ${time}. ${byOperator ? "" : `If that was not you, ${PASSWORD_ADVICE}.`}`.trim();
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
        (byOperator ? "" : ` If that was not you, ${PASSWORD_ADVICE}.`)
      );
  }
}

/** The dashboard page where the owner can act on it. */
export function findSecurityPath(facts: SecurityFacts): string {
  return "keyId" in facts ? `/keys/${facts.keyId}` : "/account";
}

/** Who makes a change. The audit log records it, and it decides which keys may be changed. */
export type Actor = SignedIn | OperatorCli;

/** A signed-in account that changes itself or its keys. */
export interface Owner extends Person {
  readonly kind: "owner";
}

/** A signed-in operator, who may change every account and key. */
export interface Operator extends Person {
  readonly kind: "operator";
}

/** The operator's command line, which may change everything. */
export interface OperatorCli {
  readonly kind: "operator-cli";
}

/** The server itself, which notes in the audit log what it has recorded. */
export interface ServerActor {
  readonly kind: "server";
}

/** A caller who is not signed in. */
export interface Anonymous {
  readonly kind: "anonymous";
  readonly address: string | null;
}

export type SignedIn = Owner | Operator;

interface Person {
  readonly accountId: string;
  /** The network address, if known. */
  readonly address?: string | null;
  /** Whether the owner entered the password or used a passkey, now or within the last ten minutes. */
  readonly confirmed?: boolean;
}

export const OPERATOR_CLI: OperatorCli = { kind: "operator-cli" };

export function anonymous(address: string | null): Anonymous {
  return { kind: "anonymous", address };
}

import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { inject } from "vitest";
import type {} from "@/e2e/process/global-setup";
import { type Access, createTestAccess, joinServer } from "@/e2e/support/access";
import { runCommand, type RunningSpotline } from "@/e2e/support/spotline";
import { OPERATOR_CLI } from "@/lib/access/actor";
import type { NewKey } from "@/lib/access/keys/keys";
import type { PlanName } from "@/lib/access/plans";

/** The server that files of tests share. Each file uses accounts and keys of its own, and ends with `leave`. */

const PASSWORD = "correct horse battery";

export interface Caller {
  readonly id: string;
  readonly accountId: string;
  readonly email: string;
  readonly key: string;
}

export interface SharedServer extends RunningSpotline {
  /** Creates an account with a key of all scopes. */
  createCaller(plan?: PlanName, rest?: Partial<NewKey>): Promise<Caller>;
  /** Changes accounts and keys as the operator's commands do. */
  change<Result>(work: (access: Access) => Promise<Result>): Promise<Result>;
  revoke(id: string): Promise<unknown>;
  leave(): Promise<void>;
}

export async function joinSharedServer(): Promise<SharedServer> {
  const { url, pid, place, logFile } = inject("sharedServer");
  const database = await joinServer(place);
  const access = createTestAccess(database);
  const { accounts, keys } = access;
  return {
    url,
    pid,
    place,
    dataDir: place.SPOTLINE_DATA_DIR,
    output: () => readFileSync(logFile, "utf8"),
    cli: (...words) => runCommand({ ...place, PORT: new URL(url).port }, ...words),
    async createCaller(plan = "enterprise", rest = {}) {
      const email = `caller-${randomUUID()}@example.com`;
      const { id: accountId } = await accounts.create({ email, password: PASSWORD, plan }, OPERATOR_CLI);
      const { id, secret } = await keys.create({ accountId, label: "test", scopes: ["all"], ...rest });
      return { id, accountId, email, key: secret };
    },
    change: (work) => work(access),
    revoke: (id) => keys.revoke(id, OPERATOR_CLI),
    leave: () => database.close(),
  };
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { withAccess } from "@/e2e/support/access";
import type { Place } from "@/e2e/support/spotline";
import { preferSteadySource } from "@/e2e/support/steady-source";
import { startTestServer } from "@/e2e/support/test-server";

/** What a test needs to know of the shared server: see `joinSharedServer`. */
export interface SharedServer {
  readonly url: string;
  readonly pid: number;
  readonly place: Place;
  readonly logFile: string;
}

declare module "vitest" {
  interface ProvidedContext {
    sharedServer: SharedServer;
  }
}

/** Starts one server for all files whose tests neither end it nor need settings of their own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "spotline-shared-"));
  const logFile = join(folder, "log");
  // Tests look for secrets in all that it can write.
  const env = { ...preferSteadySource(), SPOTLINE_LOG_LEVEL: "trace" };
  const server = await startTestServer({ env, logFile });
  // The first account is the operator's. The only operator cannot be suspended.
  const operator = { email: "operator@example.com", password: "correct horse battery" };
  await withAccess(server.place, ({ accounts }) => accounts.create(operator));
  // Next listens for upgrades once it has rendered a page.
  await (await fetch(`${server.url}/sign-in`)).text();
  project.provide("sharedServer", { url: server.url, pid: server.pid, place: server.place, logFile });
  return async () => {
    const code = await server.stop();
    if (code !== 0) console.error(`The shared server ended with code ${code}:\n${server.output().slice(-10_000)}`);
    rmSync(folder, { recursive: true, force: true });
  };
}

import { keys, place, send, url } from "@/e2e/api/server";

export { expectError, readData, type Reply } from "@/e2e/api/server";

export type Send = typeof send;

interface ServerUnderTest {
  readonly name: string;
  readonly url: string;
  readonly keys: typeof keys;
  readonly env: typeof place;
}

/** Declares tests of the server that takes their parts as parameters. */
export function onEveryServer(tests: (server: ServerUnderTest, send: Send) => void): void {
  tests({ name: "node host", url, keys, env: place }, send);
}

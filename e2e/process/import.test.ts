import { mkdtempSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { joinServer } from "@/e2e/support/access";
import { simulateFewPrices } from "@/e2e/support/few-prices";
import { createFormClient, type FormClient } from "@/e2e/support/form-client";
import { SESSION_COOKIE, startTestSession } from "@/e2e/support/sessions";
import { type Spotline, startSpotline } from "@/e2e/support/spotline";
import { createAccounts } from "@/lib/access/accounts/accounts";
import { cheapPasswords } from "@/lib/access/testing/test-accounts";
import { formatTicks, type Tick } from "@/lib/history/import/import.fixture";
import { PIECE_BYTES } from "@/lib/history/import/upload-path";
import { systemClock } from "@/lib/platform/timing/clock";
import { HOUR_MS } from "@/lib/time/units";

/** An import over HTTP as the page does it, from the upload to its undoing, on a server that is killed meanwhile. */

const START = Date.UTC(2023, 0, 2);
const HOURS = 1_000;
const PER_HOUR = 40;

const ticks = Array.from({ length: HOURS * PER_HOUR }, (_, index): Tick => {
  const bid = 108_000 + ((index * 7_919) % 500);
  return [START + index * (HOUR_MS / PER_HOUR), bid, bid + 4];
});
const content = Buffer.from(formatTicks(ticks));

describe("An import of the page", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "spotline-import-"));
  let spotline: Spotline;
  let session = "";
  let memberSession = "";
  let browser: FormClient;

  async function start(): Promise<void> {
    spotline = await startSpotline({ env: simulateFewPrices(), dataDir });
    const cookies = { [SESSION_COOKIE]: session };
    browser = createFormClient(spotline.url, undefined, cookies);
  }

  async function kill(): Promise<void> {
    process.kill(spotline.pid, "SIGKILL");
    await spotline.ended;
    await start();
  }

  const withDatabase = async <Result>(work: (database: Awaited<ReturnType<typeof joinServer>>) => Promise<Result>) => {
    const database = await joinServer(spotline.place);
    return work(database).finally(() => database.close());
  };

  beforeAll(async () => {
    await start();
    await withDatabase(async (database) => {
      const accounts = createAccounts(database, { now: systemClock, passwords: cheapPasswords });
      const signIn = async (email: string) => {
        const { id } = await accounts.create({ email, password: "correct horse battery" });
        return startTestSession(database, id);
      };
      session = await signIn("root@example.com");
      memberSession = await signIn("member@example.com");
    });
    browser = createFormClient(spotline.url, undefined, { [SESSION_COOKIE]: session });
  });
  afterAll(async () => {
    await spotline?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function call(method: string, path: string, body?: BodyInit, headers: Record<string, string> = {}) {
    const answer = await fetch(`${spotline.url}/operator/import${path}`, {
      method,
      headers: { cookie: browser.cookie(), origin: spotline.url, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.text();
    return { status: answer.status, json: (text.startsWith("{") ? JSON.parse(text) : {}) as Record<string, never> };
  }

  const list = (files: readonly (readonly [string, number, number])[]) =>
    JSON.stringify({ count: files.length, bytes: files.reduce((sum, [, bytes]) => sum + bytes, 0), files });
  const send = (id: string, offset: number, until = offset + PIECE_BYTES) =>
    call("PUT", `/${id}/upload?file=0&offset=${offset}`, content.subarray(offset, until));

  interface Shown {
    run: { state: string; canUndo: boolean; progress: { rows: number } | null; summary: Record<string, number> | null };
  }
  const read = async (id: string) => (await call("GET", `/${id}/data`)).json as unknown as Shown;

  async function until(id: string, state: string): Promise<Shown["run"]> {
    const endMs = Date.now() + 240_000;
    for (;;) {
      const { run } = await read(id);
      if (run.state === state) return run;
      if (Date.now() > endMs) throw new Error(`The import is ${JSON.stringify(run)} and not ${state}`);
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  const countStored = () =>
    withDatabase(async ({ pool }) => {
      const { rows } = await pool.query<{ bars: number; parts: number; undo: number }>(
        `SELECT (SELECT count(*)::int FROM bar WHERE origin IS NOT NULL) AS bars,
                (SELECT count(*)::int FROM import_hour) AS parts, (SELECT count(*)::int FROM import_undo) AS undo`,
      );
      return rows[0];
    });

  /** Waits for a number of rows to undo. The embedded database may be too busy with the import to take a connection. */
  const untilUndo = (isIt: (undo: number) => boolean) =>
    vi.waitFor(async () => expect((await countStored())?.undo).toSatisfy(isIt), { timeout: 120_000, interval: 20 });

  test("is refused before the upload if it is too large, and to callers that may not import", async () => {
    const large = await call("POST", "/upload", list([["a.csv", 9 * 1024 ** 3, 0]]));
    expect(large).toMatchObject({ status: 413, json: { error: expect.stringContaining("8 GB") as unknown } });
    const many = JSON.stringify({ count: 10_001, bytes: 1, files: [["a.csv", 1, 0]] });
    expect(await call("POST", "/upload", many)).toMatchObject({ status: 413 });
    for (const body of ["", "{", "[]", '{"count":1,"bytes":1,"files":[["a",-1,0]]}', list([["../x", 1, 0]])]) {
      expect((await call("POST", "/upload", body)).status, body).toBe(400);
    }
    const twice = list(["a.csv", "A.csv"].map((name) => [name, 1, 0] as const));
    expect((await call("POST", "/upload", twice)).status).toBe(400);
    const good = list([["a.csv", 1, 0]]);
    expect((await call("POST", "/upload", good, { origin: "https://evil.example" })).status).toBe(403);
    expect((await call("POST", "/upload", good, { cookie: "" })).status).toBe(401);
    expect((await call("POST", "/upload", good, { cookie: `${SESSION_COOKIE}=${memberSession}` })).status).toBe(404);
    expect((await call("GET", "/no-import/upload")).status).toBe(404);
    expect((await call("PUT", "/no-import/upload?file=0&offset=0", "x")).status).toBe(400);
    expect(await withDatabase(async ({ pool }) => (await pool.query("SELECT FROM import_run")).rows)).toEqual([]);
  });

  test("goes on after the server is killed while it uploads, imports and undoes", async () => {
    const before = await countStored();
    const { json } = await call("POST", "/upload", list([["folder/eurusd.csv", content.length, 7]]));
    const id = String(json["id"]);
    expect(await send(id, 0)).toMatchObject({ status: 200, json: { received: PIECE_BYTES } });
    expect((await call("PUT", `/${id}/upload?file=0&offset=0`, Buffer.alloc(PIECE_BYTES + 1))).status).toBe(413);
    expect((await call("POST", `/${id}/upload`)).status).toBe(409);
    await kill();
    const { files } = (await call("GET", `/${id}/upload`)).json as unknown as { files: unknown };
    expect(files).toEqual([["folder/eurusd.csv", content.length, 7, PIECE_BYTES]]);
    // A piece that was sent before, and one too far on, only tell what there is.
    expect(await send(id, 0)).toMatchObject({ json: { received: PIECE_BYTES } });
    expect(await send(id, content.length - 5)).toMatchObject({ json: { received: PIECE_BYTES } });
    for (let offset = PIECE_BYTES; offset < content.length; offset += PIECE_BYTES) await send(id, offset);
    expect((await call("POST", `/${id}/upload`)).status).toBe(200);
    expect((await call("PUT", `/${id}/upload?file=0&offset=0`, "x")).status).toBe(410);
    const planned = await until(id, "planned");
    expect(planned.summary).toMatchObject({ rows: ticks.length, accepted: ticks.length, left_out_count: 0 });
    expect(await countStored()).toEqual(before);

    const page = `/operator/import/${id}`;
    await browser.submit(page, /Import$/, { password: "correct horse battery" });
    await untilUndo((undo) => undo > 0);
    await kill();
    const done = await until(id, "done");
    expect(done).toMatchObject({ canUndo: true, summary: { accepted: ticks.length, added: ticks.length, known: 0 } });
    const stored = await countStored();
    expect(stored?.undo).toBe(HOURS);
    await browser.submit(page, /Undo the import/, {});
    await untilUndo((undo) => undo < HOURS);
    await kill();
    expect(await until(id, "undone")).toMatchObject({ canUndo: false });
    expect(await countStored()).toEqual(before);
    const events = await withDatabase(async ({ pool }) => {
      const { rows } = await pool.query<{ event: string }>(
        "SELECT event FROM audit_event WHERE event LIKE 'import.%' ORDER BY seq",
      );
      return rows.map(({ event }) => event);
    });
    expect(events).toEqual(["import.begin", "import.undo"]);
    await expect.poll(() => readdir(join(dataDir, "imports")), { timeout: 60_000 }).toEqual([]);
  }, 600_000);
});

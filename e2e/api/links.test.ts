import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { expectError, place, send, url } from "@/e2e/api/server";
import { joinServer, withAccess } from "@/e2e/support/access";
import { OPERATOR_CLI } from "@/lib/access/actor";
import type { NewKey } from "@/lib/access/keys/keys";
import { createSignedIds, LINK_TOKENS } from "@/lib/access/keys/signed-ids";
import { createLinks } from "@/lib/access/links";
import type { PlanName } from "@/lib/access/plans";
import { loadSessionSecret } from "@/lib/access/sign-in/tickets";
import { spellPath } from "@/lib/api/path-spellings.fixture";
import { UDF_PATH } from "@/lib/api/udf/udf-endpoint";
import { systemClock } from "@/lib/platform/timing/clock";

const OHLC = { path: "/v1/ohlc", query: "symbol=EURUSD&timeframe=D1&limit=3" };
const QUOTES = { path: "/v1/quotes", query: "symbols=EURUSD,GBPUSD&fields=bid,ask" };
const SYMBOLS = { path: "/v1/symbols", query: "category=metals" };

let accounts = 0;

/** Creates a key of its own account, and links of it. */
async function open(targets: readonly { path: string; query: string }[], rest: Partial<NewKey> = {}, plan?: PlanName) {
  const key = await withAccess(place, async ({ accounts: service, keys: keyService }) => {
    const email = `links-${++accounts}@example.com`;
    const account = await service.create({ email, password: "long enough to do", plan: plan ?? "pro" }, OPERATOR_CLI);
    return keyService.create({ accountId: account.id, label: "sheet", scopes: ["all"], ...rest });
  });
  const owner = { kind: "owner", accountId: key.accountId, confirmed: true } as const;
  const database = await joinServer(place);
  try {
    const tokens = createSignedIds(await loadSessionSecret(database), LINK_TOKENS);
    const links = createLinks(database, { now: systemClock });
    const made = [];
    for (const target of targets) made.push(await links.create(key.id, target, owner));
    return { key, owner, links: made.map(({ id }) => ({ id, token: tokens.createToken(id) })) };
  } finally {
    await database.close();
  }
}

const read = (token: string, search = "", init: RequestInit = {}) =>
  send(`/csv/${token}${search}`, { key: null, ...init });

/** Expects an error as a table that a spreadsheet can show. */
function expectCsvError(reply: Awaited<ReturnType<typeof read>>, status: number, code: string) {
  expect([reply.status, reply.headers.get("content-type")]).toEqual([
    status,
    "text/csv; charset=utf-8; header=present",
  ]);
  const [row, ...others] = parse<{ error: string; message: string }>(reply.text, { columns: true });
  expect(others).toEqual([]);
  expect(row?.error).toBe(code);
  expect(row?.message).toMatch(/\w/);
  return row?.message ?? "";
}

test("A link answers with its table, without a header, and its calls count on its key", async () => {
  const { key, links } = await open([OHLC, QUOTES, SYMBOLS]);
  const [ohlc, quotes, symbols] = links.map(({ token }) => token) as [string, string, string];
  const bars = await read(ohlc);
  expect([bars.status, bars.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8; header=present"]);
  const same = await send(`${OHLC.path}?${OHLC.query}&format=csv`, { key: key.secret });
  expect(bars.text.split("\r\n").slice(0, 3)).toEqual(same.text.split("\r\n").slice(0, 3));
  expect(parse(bars.text, { columns: true })).toHaveLength(3);
  expect(parse<{ symbol: string }>((await read(quotes)).text, { columns: true }).map(({ symbol }) => symbol)).toEqual([
    "EURUSD",
    "GBPUSD",
  ]);
  expect((await read(symbols)).text).toContain("XAUUSD");
  const limit = Number(bars.headers.get("x-ratelimit-limit"));
  expect(Number((await read(symbols)).headers.get("x-ratelimit-remaining"))).toBe(limit - 5);
  expect(bars.headers.get("cache-control")).toMatch(/^private/);
  expect([...bars.headers].join() + bars.text).not.toContain(key.secret);
});

test("HEAD has the headers of GET, and other methods are refused", async () => {
  const { links } = await open([OHLC, QUOTES]);
  for (const { token } of links) {
    const head = await read(token, "", { method: "HEAD" });
    expect([head.status, head.text, head.headers.get("content-type")]).toEqual([
      200,
      "",
      "text/csv; charset=utf-8; header=present",
    ]);
    for (const method of ["POST", "PUT", "DELETE"]) {
      const reply = await read(token, "", { method });
      expectCsvError(reply, 405, "METHOD_NOT_ALLOWED");
    }
  }
});

test("A link takes no other parameters, but a number that makes a sheet read anew", async () => {
  const { links } = await open([OHLC, QUOTES]);
  const [ohlc, quotes] = links.map(({ token }) => token) as [string, string];
  for (const [token, search, name] of [
    [ohlc, "?symbol=GBPUSD", "symbol"],
    [ohlc, "?%73ymbol=GBPUSD", "symbol"],
    [ohlc, "?limit=1000", "limit"],
    [ohlc, "?x=1&format=json", "format"],
    [quotes, "?symbols=XAUUSD", "symbols"],
    [quotes, "?envelope=flat", "envelope"],
  ] as const) {
    expect(expectCsvError(await read(token, search), 400, "VALIDATION_ERROR")).toContain(name);
  }
  const again = await read(ohlc, "?refresh=42");
  expect([again.status, again.headers.get("x-ignored-params")]).toEqual([200, "refresh"]);
  expect((await read(ohlc, "?refresh=%zz")).status).toBe(400);
  expect((await read(ohlc, "", { headers: { Accept: "application/json" } })).text).toMatch(/^time,open/);
});

test("A link opens its own table and nothing else", async () => {
  const { links } = await open([OHLC, { path: UDF_PATH, query: "" }]);
  const [ohlc, udf] = links.map(({ token }) => token) as [string, string];
  for (const target of ["/v1/ohlc", "/v1/quote", "/v1/monitor/account"]) {
    expectError(await send(`${target}?symbol=EURUSD&token=${ohlc}`, { key: null }), 401, "MISSING_API_KEY");
    expectError(await send(`${target}?symbol=EURUSD`, { key: ohlc }), 401, "INVALID_API_KEY");
  }
  expectError(await send(`/v1/calendar.ics?token=${ohlc}`, { key: null }), 401, "INVALID_API_KEY");
  expectCsvError(await read(udf), 403, "PERMISSION_DENIED");
  const chart = await send(`/udf/${ohlc}/config`, { key: null });
  expect([chart.status, (chart.json as { s: string }).s]).toEqual([403, "error"]);
});

test("A changed token, another kind of token and other spellings of the path are refused", async () => {
  const { links, key } = await open([SYMBOLS]);
  const { token } = links[0] as { token: string };
  const feed = `fxc_${token.slice(4)}`;
  const flipped = [...token].map((character, at) =>
    at < 4 ? token : token.slice(0, at) + (character === "A" ? "B" : "A") + token.slice(at + 1),
  );
  for (const other of [
    flipped[4],
    flipped[25],
    flipped[26],
    flipped.at(-1),
    feed,
    key.secret,
    "fxl_",
    "%00",
    "%66xl_" + token.slice(4),
  ])
    expectCsvError(await read(other as string), 401, "INVALID_API_KEY");
  for (const path of [`/csv/${token}/`, `/csv//${token}`, `/csv/${token}/x`, "/csv/"]) {
    expect([path, (await fetch(url + path, { redirect: "manual" })).status]).not.toEqual([path, 200]);
  }
  for (const spelling of spellPath(`/csv/${token}`).filter((each) => !/[\\#]|\/\.|2e/i.test(each))) {
    const reply = await fetch(url + spelling, { redirect: "manual" });
    expect([spelling, reply.status === 200 && (await reply.text()).includes("XAUUSD")]).toEqual([spelling, false]);
  }
});

test("A revoked link and the links of a revoked key end", async () => {
  const { key, owner, links } = await open([SYMBOLS, SYMBOLS]);
  const [first, second] = links as [{ id: string; token: string }, { id: string; token: string }];
  const other = await open([]);
  await withAccess(place, async ({ links: service }) => {
    await expect(service.revoke(first.id, other.owner)).rejects.toThrow("no such link");
    await service.revoke(first.id, owner);
  });
  await expect.poll(async () => (await read(first.token)).status).toBe(401);
  expectCsvError(await read(first.token), 401, "API_KEY_DISABLED");
  expect((await read(second.token)).status).toBe(200);
  await withAccess(place, ({ keys: service }) => service.revoke(key.id, OPERATOR_CLI));
  await expect.poll(async () => (await read(second.token)).status).toBe(401);
  expectCsvError(await read(second.token), 401, "API_KEY_DISABLED");
});

describe("The terms of a key", () => {
  test("apply to its links: scopes, endpoints, symbols, plan, addresses, origins and end", async () => {
    const cases = [
      ["PERMISSION_DENIED", await open([OHLC], { scopes: ["quotes"] })],
      ["PERMISSION_DENIED", await open([OHLC], { endpoints: ["/v1/quote"] })],
      ["PERMISSION_DENIED", await open([OHLC], { symbols: ["XAUUSD"] })],
      ["PLAN_UPGRADE_REQUIRED", await open([{ path: "/v1/calendar", query: "" }], {}, "free")],
      ["IP_NOT_ALLOWED", await open([OHLC], { addresses: ["203.0.113.0/24"] })],
    ] as const;
    const expiring = await open([OHLC]);
    await withAccess(place, ({ keys: service }) =>
      service.update(expiring.key.id, { expiresAtMs: Date.now() + 1_000 }, OPERATOR_CLI),
    );
    for (const [code, { links }] of cases) expectCsvError(await read(links[0]?.token ?? ""), 403, code);
    await expect.poll(async () => (await read(expiring.links[0]?.token ?? "")).status).toBe(401);
    expectCsvError(await read(expiring.links[0]?.token ?? ""), 401, "API_KEY_EXPIRED");
  });

  test("apply to the minute of the key", async () => {
    const { links } = await open([SYMBOLS], { perMinute: 1 });
    await read(links[0]?.token ?? "");
    const message = expectCsvError(await read(links[0]?.token ?? ""), 429, "RATE_LIMIT_EXCEEDED");
    expect(message).toContain("1 requests a minute");
  });
});

test("No log has the token of a link", async () => {
  const { key, links } = await open([{ path: "/v1/quote", query: "symbol=EURUSD" }]);
  const { id, token } = links[0] as { id: string; token: string };
  expect((await read(token)).status).toBe(200);
  const database = await joinServer(place);
  try {
    const readRows = async () =>
      (
        await database.pool.query<{ row: string }>(
          "SELECT request_log::text AS row FROM request_log WHERE key_id = $1",
          [key.id],
        )
      ).rows;
    await expect.poll(readRows, { timeout: 10_000 }).toHaveLength(1);
    expect(JSON.stringify(await readRows())).toContain("/v1/quote");
    expect(JSON.stringify(await readRows())).not.toContain(token);
    const readUse = async () =>
      (await database.pool.query<{ at: Date | null }>("SELECT last_used_at AS at FROM key_link WHERE id = $1", [id]))
        .rows[0]?.at;
    await expect.poll(readUse, { timeout: 10_000 }).toBeInstanceOf(Date);
  } finally {
    await database.close();
  }
});

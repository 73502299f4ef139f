import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/**
 * A migration runs in one transaction, and what it locks stays locked until its end. On tables that grow without a bound,
 * nothing may read or write every row under such a lock. Servers of the previous version run until they are upgraded, so
 * a migration removes nothing that they read, and requires no value that they do not insert.
 */

const FOLDER = "prisma/migrations";
/** Tables with millions of rows, or with the partitions that the recorder writes each second. */
const LARGE = ["tick_second", "tick_hour", "bar", "spread_hour", "usage_hour", "request_log", "audit_event"];
const table = `(?:public\\.)?"?(${LARGE.join("|")})"?`;

const LONG = [
  { what: "an index", pattern: new RegExp(`CREATE (?:UNIQUE )?INDEX[^;]*? ON (?:ONLY )?${table}[\\s(]`, "gi") },
  { what: "another type", pattern: new RegExp(`ALTER TABLE ${table}[^;]*ALTER COLUMN[^;]* TYPE `, "gi") },
  {
    what: "a check of all rows",
    pattern: new RegExp(`ALTER TABLE ${table}[^;]*(?:SET NOT NULL|(?:CHECK|REFERENCES)(?![^;]*NOT VALID))`, "gi"),
  },
  {
    what: "a default for each row",
    pattern: new RegExp(
      `ALTER TABLE ${table}[^;]*ADD COLUMN[^;]*DEFAULT\\s+(?:\\w+_)*(?:random|uuid|nextval|clock_timestamp|timeofday)`,
      "gi",
    ),
  },
  { what: "an update of all rows", pattern: new RegExp(`UPDATE ${table} SET (?![^;]*WHERE)`, "gi") },
] as const;

/** What was released before this test: in installations of its time the table was small. */
const RELEASED = ["20261121163500_account_closing: a check of all rows of usage_hour"];

/** What breaks the statements of the previous version. */
const BREAKING = [
  { what: "drops a table", pattern: /DROP TABLE/gi },
  { what: "drops a column", pattern: /ALTER TABLE[^;]*DROP COLUMN/gi },
  { what: "renames", pattern: /ALTER TABLE[^;]*RENAME/gi },
  { what: "requires a value", pattern: /ALTER TABLE[^;]*(?:SET NOT NULL|DROP DEFAULT)/gi },
  { what: "adds a column without a default", pattern: /ADD COLUMN(?![^,;]*DEFAULT)[^,;]*NOT NULL/gi },
  { what: "changes a type", pattern: /ALTER TABLE[^;]*ALTER COLUMN[^,;]* TYPE /gi },
] as const;

const clean = (sql: string) => sql.replaceAll(/--.*$/gm, "").replaceAll(/\s+/g, " ");

const findBreaks = (sql: string): string[] =>
  BREAKING.filter(({ pattern }) => clean(sql).search(pattern) >= 0).map(({ what }) => what);

/** Each migration with what `find` finds in it. */
function checkMigrations(find: (sql: string) => string[]): string[] {
  const names = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(names.length).toBeGreaterThan(30);
  return names.flatMap(({ name }) =>
    find(readFileSync(join(FOLDER, name, "migration.sql"), "utf8")).map((found) => `${name}: ${found}`),
  );
}

/** Describes what would take long under a lock, in tables of earlier migrations. */
function findLongLocks(sql: string): string[] {
  const text = clean(sql);
  const created = new Set(Array.from(text.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)/gi), ([, name]) => name));
  return LONG.flatMap(({ what, pattern }) =>
    Array.from(text.matchAll(pattern), ([, name]) => name)
      .filter((name) => !created.has(name))
      .map((name) => `${what} of ${name}`),
  );
}

test("No migration locks a large table for long.", () => {
  expect(checkMigrations(findLongLocks)).toEqual(RELEASED);
});

test("A server of the previous version works after each migration.", () => {
  expect(checkMigrations(findBreaks)).toEqual([]);
});

test.each([
  ['CREATE INDEX "bar_time_idx" ON "bar"("time");', ["an index of bar"]],
  ["CREATE TABLE bar (time INTEGER); CREATE INDEX i ON bar (time);", []],
  ["CREATE INDEX i ON account (email);", []],
  ["ALTER TABLE bar ADD COLUMN id UUID DEFAULT gen_random_uuid();", ["a default for each row of bar"]],
  ["ALTER TABLE bar ADD COLUMN source TEXT NOT NULL DEFAULT '';", []],
  ["ALTER TABLE bar\n  ALTER COLUMN volume TYPE BIGINT;", ["another type of bar"]],
  ["ALTER TABLE usage_hour ADD CONSTRAINT c CHECK (calls > 0);", ["a check of all rows of usage_hour"]],
  ["ALTER TABLE usage_hour ADD CONSTRAINT c CHECK (calls > 0) NOT VALID;", []],
  ["-- UPDATE bar SET x = 1;\nUPDATE bar SET volume = 0;", ["an update of all rows of bar"]],
])("The statements %j have these long locks: %j.", (sql, expected) => expect(findLongLocks(sql)).toEqual(expected));

test.each([
  ["ALTER TABLE account ADD COLUMN a TEXT NOT NULL;", ["adds a column without a default"]],
  ["ALTER TABLE account ADD COLUMN a TEXT NOT NULL DEFAULT '', ADD COLUMN b TEXT;", []],
  ["ALTER TABLE account ADD COLUMN a TEXT, ADD COLUMN b TEXT NOT NULL;", ["adds a column without a default"]],
  ["ALTER TABLE account\n  DROP COLUMN role;", ["drops a column"]],
  ["ALTER TABLE account RENAME COLUMN role TO kind;", ["renames"]],
  ["ALTER TABLE account ALTER COLUMN password_hash SET NOT NULL;", ["requires a value"]],
  ["ALTER TABLE account ALTER COLUMN password_hash DROP NOT NULL;", []],
  ["ALTER TABLE account ALTER COLUMN plan TYPE INTEGER;", ["changes a type"]],
  ["-- DROP TABLE account;\nDROP TABLE session;", ["drops a table"]],
])("The statements %j break the previous version in these ways: %j.", (sql, expected) =>
  expect(findBreaks(sql)).toEqual(expected),
);

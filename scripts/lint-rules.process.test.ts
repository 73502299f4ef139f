import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import plugin from "@/scripts/lint-rules.mjs";

interface Report {
  readonly diagnostics: readonly { readonly code: string; readonly labels: readonly { span: { line: number } }[] }[];
}

/** Each comment names the rule that its line breaks. */
const CODE = `
import * as z from "zod";
import { z as zod } from "zod"; // zod-import
export type { One } from "./one";
export type { Four, Three } from "./three";
export type { Two, Second } from "./two"; // sort-exports
export type { Five } from "./five"; // sort-exports
export const NAMES = { given_name: 1, second: 2 };
export const { given_name, second: own_name } = NAMES; // value-names
export const [first_name, { a: { b_c, c: d_e = 1 } }, ...others_] = []; // value-names value-names value-names
export const { d, ...more_d } = NAMES; // value-names
export const UPPER_CASE = 1, camelCase = () => 1, PascalCase = () => 1, $ = () => 1;
export const _leading = () => 1; // value-names
export const TRAILING_ = 2; // value-names
export function snake_case(parameter_name: string) { return parameter_name; } // value-names
export const call = () => function inner_name() {}; // value-names
export declare function declared_name(): void; // value-names
export class lower {} // type-names
export interface Snake_Case { readonly a_b: string } // type-names
export type camel = string; // type-names
export enum colour { Red } // type-names
export type Box<t> = t[]; // type-names
export const text = "a"; // constant-names
export const minus = -5, pattern = /a/, template = \`a\`, fixed = 5 as const; // constant-names constant-names constant-names constant-names
export let changed = "a";
export const joined = \`a\${text}\`;
export const list = [1, ...[2, 3]]; // no-spread-literal
export const most = Math.max(...[1, 2]); // no-spread-literal
export const copy = [...list, ...(text ? [1] : [])];
location.assign("/quotes"); // no-location-assign
window["location"].href = "/quotes"; // no-location-assign
export const path = location.href;
const ONLY_TYPE = \`a\${text}\`; // no-unread-variables
export function* count(add: typeof ONLY_TYPE) {
  let unread = 0; // no-unread-variables
  let sum = 0, read = 0, given = 0;
  for (const part of [add]) read += part.length;
  while (sum < 0) unread++;
  given++;
  yield given;
  return () => (sum += read);
}
`;

const folder = mkdtempSync(join(tmpdir(), "spotline-lint-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("Our own lint rules report what they are for, and nothing else", () => {
  const rules = Object.fromEntries(Object.keys(plugin.rules).map((name) => [`spotline/${name}`, "error"]));
  const jsPlugins = [resolve("scripts/lint-rules.mjs")];
  writeFileSync(
    join(folder, ".oxlintrc.json"),
    JSON.stringify({ jsPlugins, categories: { correctness: "off" }, rules }),
  );
  writeFileSync(join(folder, "code.ts"), CODE);
  const oxlint = resolve("node_modules/oxlint/bin/oxlint");
  const { stdout } = spawnSync(process.execPath, [oxlint, "--format", "json"], { cwd: folder, encoding: "utf8" });
  const reported = (JSON.parse(stdout) as Report).diagnostics.map(
    ({ code, labels }) => `${labels[0]?.span.line}: ${code}`,
  );
  const expected = CODE.split("\n").flatMap((line, index) => {
    const broken = line.split(" // ")[1]?.split(" ") ?? [];
    return broken.map((rule) => `${index + 1}: spotline(${rule})`);
  });
  expect(reported.sort()).toEqual(expected.sort());
});

import { expect, test } from "vitest";
import { findKeys, readKeyListView, sortKeys, toKeyListHref } from "@/features/keys/key-table";
import type { Key } from "@/lib/access/keys/key";

const makeKey = (label: string, more: Partial<Key> = {}): Key =>
  ({
    label,
    start: "fxk_live_3f9a",
    last4: "Qx7b",
    kind: "standard",
    scopes: ["quotes"],
    allowedCidrs: [],
    createdAtMs: 0,
    expiresAtMs: null,
    lastUsedAtMs: null,
    ...more,
  }) as Key;

const desk = makeKey("Desk", { createdAtMs: 1, expiresAtMs: 90, last4: "aaaa" });
const bot = makeKey("bot", { createdAtMs: 2, lastUsedAtMs: 50, kind: "tool" });
const office = makeKey("Office", { createdAtMs: 3, expiresAtMs: 80, allowedCidrs: ["192.0.2.0/24"] });
const keys = [desk, bot, office];

test("A view is read from the address that is written for it, and invalid values are ignored", () => {
  const view = { text: "a & b", sort: "used" } as const;
  expect(toKeyListHref(view)).toBe("/keys?text=a+%26+b&sort=used");
  expect(readKeyListView({ text: " a & b ", sort: "used" })).toEqual(view);
  expect(readKeyListView({ text: ["a"], sort: "x" })).toEqual({ text: "", sort: "created" });
  expect(toKeyListHref({ text: "", sort: "created" })).toBe("/keys");
});

test.each([
  ["", ["Desk", "bot", "Office"]],
  ["DESK", ["Desk"]],
  ["tool", ["bot"]],
  ["192.0", ["Office"]],
  ["…aaaa", ["Desk"]],
  ["nothing", []],
])("The text %j finds the keys %j", (text, labels) => {
  expect(findKeys(keys, text).map(({ label }) => label)).toEqual(labels);
});

test.each([
  ["created", ["Office", "bot", "Desk"]],
  ["label", ["bot", "Desk", "Office"]],
  ["used", ["bot", "Desk", "Office"]],
  ["expires", ["Office", "Desk", "bot"]],
  ["calls", ["Office", "Desk", "bot"]],
] as const)("Sorted by %s the keys are %j", (sort, labels) => {
  const calls = new Map([
    [desk, 5],
    [office, 9],
  ]);
  expect(sortKeys(keys, sort, (key) => calls.get(key) ?? 0).map(({ label }) => label)).toEqual(labels);
});

import { expect, test } from "vitest";
import { isFiltered, readAuditView, toAuditFilter, toAuditHref } from "@/features/audit/url";

const all = { kind: null, by: null, from: "", to: "", text: "", beforeSeq: null };

test("A view is read from the address that is written for it", () => {
  const view = { kind: "key", by: "me", from: "2026-01-15", to: "2026-01-16", text: "a & b", beforeSeq: 7 } as const;
  const href = toAuditHref(view);
  expect(href).toBe("/audit?kind=key&by=me&from=2026-01-15&to=2026-01-16&text=a+%26+b&before=7");
  expect(readAuditView(Object.fromEntries(new URL(href, "http://localhost").searchParams))).toEqual(view);
  expect(toAuditFilter(view)).toEqual({
    kind: "key",
    by: "me",
    fromMs: Date.UTC(2026, 0, 15),
    toMs: Date.UTC(2026, 0, 16),
    text: "a & b",
  });
  expect(isFiltered(view)).toBe(true);
});

test("Invalid values are ignored and defaults are left out", () => {
  const wrong = { kind: "x", by: ["me", "cli"], from: "2026-13-45", to: "15.1.2026", text: "\0 ", before: "0.5" };
  expect(readAuditView(wrong)).toEqual(all);
  expect(toAuditHref(all)).toBe("/audit");
  expect(isFiltered({ ...all, beforeSeq: 3 })).toBe(false);
});

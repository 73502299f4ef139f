import { expect, test } from "vitest";
import { isFiltered, readRequestView, toRequestHref, toRequestsHref } from "@/features/usage/request-url";

const paths = ["/v1/quote", "/v1/ticks"];
const all = { accountId: null, keyId: null, endpoint: null, outcome: null, code: null, text: "", beforeId: null };

test("A view is read from the address that is written for it", () => {
  const view = {
    accountId: "an-account",
    keyId: "a-key",
    endpoint: "/v1/ticks",
    outcome: "refused",
    code: "IP_NOT_ALLOWED",
    text: "EUR USD",
    beforeId: 120,
  } as const;
  const href = toRequestsHref(view);
  expect(href).toBe(
    "/usage/requests?account=an-account&outcome=refused&code=IP_NOT_ALLOWED&key=a-key&endpoint=/v1/ticks&text=EUR+USD&before=120",
  );
  expect(readRequestView(Object.fromEntries(new URL(href, "http://localhost").searchParams), paths)).toEqual(view);
  expect(isFiltered(view)).toBe(true);
});

test("Invalid values are ignored and defaults are left out", () => {
  const wrong = { key: "", endpoint: "/v1/nope", outcome: "x", code: "a'b", text: ["a", "b"], before: "-1" };
  expect(readRequestView(wrong, paths)).toEqual(all);
  for (const before of ["0", "1.5", "1e400", "x"]) expect(readRequestView({ before }, paths).beforeId).toBeNull();
  expect(readRequestView({ text: "x\0".repeat(500) }, paths).text).toBe("x".repeat(100));
  expect(toRequestsHref(all)).toBe("/usage/requests");
  expect(isFiltered({ ...all, accountId: "an-account", beforeId: 3 })).toBe(false);
});

test("The address of a call names the account if it is another one's", () => {
  expect(toRequestHref("0a", null)).toBe("/usage/requests/0a");
  expect(toRequestHref("0a", "b&c")).toBe("/usage/requests/0a?account=b%26c");
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { checkEmail } from "@/lib/access/accounts/account";

test.each([
  [" Person@Example.COM ", "person@example.com"],
  ["a.b+tag@sub.example.co.uk", "a.b+tag@sub.example.co.uk"],
  ["o'neil@example.org", "o'neil@example.org"],
  ["user@xn--bcher-kva.example", "user@xn--bcher-kva.example"],
])("%j is normalised", (text, email) => expect(checkEmail(text)).toBe(email));

test.each([
  "",
  "person",
  "@example.com",
  "person@",
  "person@localhost",
  "person@example..com",
  "person@-example.com",
  "person@10.0.0.1",
  "a b@example.com",
  ".a@example.com",
  "a..b@example.com",
  "a@b@example.com",
  "p\u0435rson@example.com",
  "person@ex\u00e4mple.com",
  `${"a".repeat(65)}@example.com`,
  `a@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.${"e".repeat(60)}.${"f".repeat(20)}.com`,
])("%j is refused", (text) => {
  expect(() => checkEmail(text)).toThrow(expect.objectContaining({ code: "invalid_email" }));
});

test("A normalised address is accepted unchanged", () => {
  fc.assert(
    fc.property(fc.emailAddress(), (address) => {
      fc.pre(!/\d$/.test(address));
      const email = checkEmail(address);
      expect(checkEmail(email)).toBe(email);
    }),
  );
});

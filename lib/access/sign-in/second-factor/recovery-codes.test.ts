import { expect, test } from "vitest";
import { hashRecoveryCode, mintRecoveryCodes } from "@/lib/access/sign-in/second-factor/recovery-codes";

test("Ten different recovery codes are created, in readable groups", () => {
  const codes = mintRecoveryCodes();
  expect(new Set(codes.map(({ code }) => code)).size).toBe(10);
  for (const { code, codeHash } of codes) {
    expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
    expect(hashRecoveryCode(code)).toBe(codeHash);
  }
});

test("A recovery code is recognised however it is typed", () => {
  const hash = hashRecoveryCode("10ab-cdef-gh10-0000");
  expect(hash).toMatch(/^[\da-f]{64}$/);
  for (const typed of ["10abcdefgh100000", " 10AB CDEF GH10 0000\n", "lOab-cdef-ghio-0o0O"]) {
    expect(hashRecoveryCode(typed)).toBe(hash);
  }
  expect(hashRecoveryCode("10ab-cdef-gh10-0001")).not.toBe(hash);
});

test.each(["", "123456", "10ab-cdef-gh10-000", "10ab-cdef-gh10-00000", "10ab-cdef-gh10-000ü", "u".repeat(16)])(
  "takes %j for no code at all",
  (typed) => expect(hashRecoveryCode(typed)).toBeNull(),
);

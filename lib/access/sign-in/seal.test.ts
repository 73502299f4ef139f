import { expect, test } from "vitest";
import { createSeal } from "@/lib/access/sign-in/seal";

const SECRET = "a session secret of at least 32 characters";
const { seal, open } = createSeal(SECRET, "test");

test("A seal opens its texts, and seals the same text differently each time", () => {
  expect(open(seal("JBSWY3DPEHPK3PXP", "alice"), "alice")).toBe("JBSWY3DPEHPK3PXP");
  expect(open(seal(""))).toBe("");
  expect(seal("text")).not.toBe(seal("text"));
  expect(seal("JBSWY3DPEHPK3PXP")).not.toContain("JBSWY3");
});

test("A text of another owner, purpose or secret does not open", () => {
  const sealed = seal("text", "alice");
  expect(open(sealed, "bob")).toBeNull();
  expect(open(sealed)).toBeNull();
  expect(createSeal(SECRET, "another").open(sealed, "alice")).toBeNull();
  expect(createSeal(`${SECRET}!`, "test").open(sealed, "alice")).toBeNull();
  expect(createSeal(SECRET, "test").open(sealed, "alice")).toBe("text");
});

test("An altered or shortened text does not open", () => {
  const bytes = Buffer.from(seal("text"), "base64url");
  for (let i = 0; i < bytes.length; i++) {
    const altered = Buffer.from(bytes);
    altered[i] = (altered[i] ?? 0) ^ 1;
    expect(open(altered.toString("base64url"))).toBeNull();
    expect(open(bytes.subarray(0, i).toString("base64url"))).toBeNull();
  }
});

import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  computeChecksum,
  describeKeyFault,
  getDisplayParts,
  isWellFormed,
  mintSecret,
} from "@/lib/access/keys/key-format";
import { hashSecret } from "@/lib/access/secret";
import { anyCharacter } from "@/lib/text/any-text.fixture";

test("The checksum of the published example is right", () => {
  expect(computeChecksum("zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ")).toBe("0mLq17");
  expect(isWellFormed("fxk_live_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17")).toBe(true);
});

test("Every minted secret is well formed and unique", () => {
  const secrets = Array.from({ length: 2_000 }, mintSecret);
  expect(new Set(secrets).size).toBe(2_000);
  for (const secret of secrets) {
    expect(secret).toMatch(/^fxk_live_[0-9A-Za-z]{36}$/);
    expect(isWellFormed(secret)).toBe(true);
  }
});

test("Every character of the alphabet occurs about equally often", () => {
  const counts = new Map<string, number>();
  for (let i = 0; i < 4_000; i++) {
    for (const character of mintSecret().slice(9, 39)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  expect(counts.size).toBe(62);
  // 120,000 draws, 1,935 expected each with a deviation of 44: eight deviations do not happen by chance, while
  // taking every byte would lift the first eight characters by eleven (484 of 1,935 x 1/4).
  for (const count of counts.values()) expect(Math.abs(count - 120_000 / 62)).toBeLessThan(8 * 44);
});

test("A secret with one character changed is refused", () => {
  const secret = mintSecret();
  fc.assert(
    fc.property(
      fc.nat(secret.length - 1),
      fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 }),
      (at, character) => {
        fc.pre(secret.charAt(at) !== character);
        expect(isWellFormed(secret.slice(0, at) + character + secret.slice(at + 1))).toBe(false);
      },
    ),
  );
});

test("Any other input is refused without an error", () => {
  const tails = fc.string({ unit: anyCharacter, minLength: 36, maxLength: 36 }).map((tail) => `fxk_live_${tail}`);
  fc.assert(
    fc.property(fc.oneof(fc.anything(), tails), (value) => {
      expect(isWellFormed(value as string)).toBe(false);
    }),
  );
  const secret = mintSecret();
  for (const near of [` ${secret}`, `${secret} `, secret.toUpperCase(), secret.slice(9), secret.slice(0, -1)]) {
    expect(isWellFormed(near)).toBe(false);
  }
});

test("A secret is hashed with SHA-256, and only its ends are shown", () => {
  const secret = "fxk_live_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17";
  expect(hashSecret(secret)).toBe(createHash("sha256").update(secret).digest("hex"));
  expect(getDisplayParts(secret)).toEqual({ start: "fxk_live_zQWB", last4: "Lq17" });
});

test.each([
  ["fxk_live_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17", null],
  ["fxk_live_zQWBuTSOoRi4A9spHcVY5ncn", "has 33 characters, and a key has 45"],
  ["fxk_live_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq18", "is mistyped"],
  ['"fxk_live_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17"', "is in quotation marks"],
  ["Bearer fxk_live_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17", "is behind a word"],
  ["YOUR_KEY", "is a placeholder"],
  ["<your key>", "is a placeholder"],
  ["$SPOTLINE_KEY", "is a placeholder"],
  ["fxk_live_…", "is a placeholder"],
  ["fxi_3f9a", "is a token of another kind"],
  ["sk_test_3f9a", "is not one of this service"],
])("What is wrong with the key %s is said", (text, expected) => {
  const fault = describeKeyFault(text);
  if (expected === null) expect(fault).toBeNull();
  else expect(fault).toContain(expected);
});

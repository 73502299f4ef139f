import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createFeedTokens } from "@/lib/access/keys/feed-token";

const tokens = createFeedTokens("one installation");

describe("the token of a calendar feed", () => {
  test("A feed token is always the same, and names its key", () => {
    const id = randomUUID();
    const token = tokens.createToken(id);
    expect(token).toMatch(/^fxc_[\w-]{44}$/);
    expect(createFeedTokens("one installation").createToken(id)).toBe(token);
    expect(tokens.readKeyId(token)).toBe(id);
  });

  test("A changed feed token, or one of another installation, is refused", () => {
    const token = tokens.createToken(randomUUID());
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom(..."aB3-_ü\n"), (at, character) => {
        const other = token.slice(0, at) + character + token.slice(at + 1);
        expect(tokens.readKeyId(other)).toBe(other === token ? tokens.readKeyId(token) : null);
      }),
    );
    expect(createFeedTokens("another installation").readKeyId(token)).toBeNull();
  });

  test("Any other text is not a feed token", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(tokens.readKeyId(text)).toBeNull();
      }),
    );
  });
});

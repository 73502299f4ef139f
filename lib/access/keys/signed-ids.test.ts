import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSignedIds, FEED_TOKENS, LINK_TOKENS } from "@/lib/access/keys/signed-ids";

const tokens = createSignedIds("one installation", FEED_TOKENS);

describe("the token of a calendar feed", () => {
  test("A feed token is always the same, and names its key", () => {
    const id = randomUUID();
    const token = tokens.createToken(id);
    expect(token).toMatch(/^fxc_[\w-]{44}$/);
    expect(createSignedIds("one installation", FEED_TOKENS).createToken(id)).toBe(token);
    expect(tokens.readId(token)).toBe(id);
  });

  test("A changed feed token, or one of another installation, is refused", () => {
    const token = tokens.createToken(randomUUID());
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom(..."aB3-_ü\n"), (at, character) => {
        const other = token.slice(0, at) + character + token.slice(at + 1);
        expect(tokens.readId(other)).toBe(other === token ? tokens.readId(token) : null);
      }),
    );
    const links = createSignedIds("one installation", LINK_TOKENS);
    expect(links.readId(token)).toBeNull();
    expect(links.readId(token.replace("fxc_", "fxl_"))).toBeNull();
    expect(createSignedIds("another installation", FEED_TOKENS).readId(token)).toBeNull();
  });

  test("Any other text is not a feed token", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(tokens.readId(text)).toBeNull();
      }),
    );
  });
});

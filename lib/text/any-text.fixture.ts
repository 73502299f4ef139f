import fc from "fast-check";

/**
 * Any character of Unicode, as the unit of `fc.string`. fast-check's own unit "binary" has the same characters, but builds
 * a table of a million of them in each process.
 */
export const anyCharacter = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint), toCodePoint);

/** With the way back, fast-check also tries texts that are known to break programs, such as "__proto__". */
function toCodePoint(character: unknown): number {
  const [only, ...others] = typeof character === "string" ? character : "";
  if (only === undefined || others.length > 0) throw new Error("not one character");
  return only.codePointAt(0) ?? 0;
}

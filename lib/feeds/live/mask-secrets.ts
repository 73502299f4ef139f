const MASK = "***";
/** Fields of JSON that hold credentials a venue has just issued, which no list of secrets has yet. */
const CREDENTIAL_FIELDS = /("(?:access_?token|refresh_?token|client_?secret|password)"\s*:\s*)"(?:[^"\\]|\\.)*"/gi;

/** Returns a function that replaces these secrets by asterisks, in every spelling in which a message may have them. */
export function createMask(secrets: Iterable<string>): (text: string) => string {
  const spellings = listSpellings(secrets);
  return (text) => {
    const masked = spellings.reduce((rest, secret) => rest.replaceAll(secret, MASK), text);
    return masked.replace(CREDENTIAL_FIELDS, `$1"${MASK}"`);
  };
}

/** Shorter parts of base64 are found in other texts too. */
const SHORTEST_BASE64 = 8;

/**
 * How secrets can be written in a message: as they are, in an address or a form, in JSON, and encoded, alone or with
 * other text around them. The longest come first.
 */
function listSpellings(secrets: Iterable<string>): string[] {
  const spellings = [...secrets].flatMap((secret) => {
    const bytes = Buffer.from(secret);
    const json = JSON.stringify(secret).slice(1, -1);
    const inAddress = encodeURIComponent(secret);
    return [
      secret,
      // Bytes that are not text are searched as Latin-1.
      bytes.toString("latin1"),
      json,
      json.replaceAll("/", String.raw`\/`),
      inAddress,
      inAddress.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
      new URLSearchParams({ _: secret }).toString().slice(2),
      bytes.toString("base64"),
      bytes.toString("base64url"),
      bytes.toString("hex"),
      bytes.toString("hex").toUpperCase(),
      ...listBase64Parts(bytes),
    ];
  });
  return [...new Set(spellings)].filter((spelling) => spelling !== "").sort((a, b) => b.length - a.length);
}

/** The part of the base64 of a longer text that only the secret determines, such as of "user:secret". */
function listBase64Parts(secret: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const first = before === 0 ? 0 : 3 - before;
    const whole = secret.subarray(first, first + 3 * Math.floor((secret.length - first) / 3));
    return [whole.toString("base64"), whole.toString("base64url")].filter(({ length }) => length >= SHORTEST_BASE64);
  });
}

import { listSpellings } from "@/lib/feeds/live/secret-spellings";

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

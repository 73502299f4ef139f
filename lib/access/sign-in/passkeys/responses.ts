import * as z from "zod";
import { AccessError } from "@/lib/access/access-error";

/** The responses of browsers, as @simplewebauthn/browser sends them. Unknown parts are left out. */

const MAX_LENGTH = 16_000;

const base64url = z.string().regex(/^[\w-]+$/);
const credential = { id: base64url.max(1_400), rawId: base64url, type: z.literal("public-key") };
const clientExtensionResults = z.object({}).default({});

const registration = z.object({
  ...credential,
  clientExtensionResults,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    // Later standards may add others.
    transports: z
      .array(z.string().regex(/^[\w-]{1,32}$/))
      .max(10)
      .default([]),
  }),
});

const authentication = z.object({
  ...credential,
  clientExtensionResults,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.optional(),
  }),
});

export const parseRegistration = (text: string) => parse(registration, text);
export const parseAuthentication = (text: string) => parse(authentication, text);

/** Throws the AccessError "passkey_refused" for anything but a response. */
function parse<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  try {
    if (text.length <= MAX_LENGTH) return schema.parse(JSON.parse(text));
  } catch {
    // No JSON, or not a response.
  }
  throw createRefusal();
}

/** The same for every reason, so that it reveals nothing about passkeys and accounts. */
export function createRefusal(): AccessError {
  return new AccessError("passkey_refused", "This passkey was not accepted. Try again, or choose another way.");
}

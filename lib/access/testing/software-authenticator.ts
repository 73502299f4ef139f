import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import type { PasskeySite } from "@/lib/access/sign-in/passkeys";

/** An authenticator with one passkey (ES256), and the browser in front of it. Tests can make both misbehave. */

interface Behaviour {
  readonly site?: PasskeySite;
  readonly challenge?: string;
  readonly type?: string;
  /** Whether the authenticator verified its user, with a PIN or a fingerprint. */
  readonly isUserVerified?: boolean;
  readonly isBackedUp?: boolean;
  readonly canBackUp?: boolean;
  readonly counter?: number;
  /** Null leaves it out. */
  readonly userHandle?: string | null;
  readonly format?: { readonly name: string; readonly statement: Buffer };
}

const FLAGS = { userPresent: 0x01, userVerified: 0x04, canBackUp: 0x08, backedUp: 0x10, hasCredential: 0x40 };

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();

export function createSoftwareAuthenticator(site: PasskeySite) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(32);
  let userHandle = "";

  function toAuthenticatorData(behaviour: Behaviour, attested?: Buffer): Buffer {
    const { isUserVerified = true, canBackUp = true, isBackedUp = canBackUp, counter = 0 } = behaviour;
    const flags =
      FLAGS.userPresent |
      (isUserVerified ? FLAGS.userVerified : 0) |
      (canBackUp ? FLAGS.canBackUp : 0) |
      (isBackedUp ? FLAGS.backedUp : 0) |
      (attested === undefined ? 0 : FLAGS.hasCredential);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const hash = sha256((behaviour.site ?? site).host);
    return Buffer.concat([hash, Buffer.from([flags]), count, attested ?? Buffer.alloc(0)]);
  }

  function toClientData(type: string, challenge: string, behaviour: Behaviour): Buffer {
    const { origin } = behaviour.site ?? site;
    const data = { type: behaviour.type ?? type, challenge: behaviour.challenge ?? challenge, origin };
    return Buffer.from(JSON.stringify({ ...data, crossOrigin: false }));
  }

  const credential = { id: id.toString("base64url"), rawId: id.toString("base64url"), type: "public-key" };

  return {
    id: credential.id,

    /** The response to options for a new passkey, as JSON. */
    create(options: PublicKeyCredentialCreationOptionsJSON, behaviour: Behaviour = {}): string {
      userHandle = options.user.id;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, toCoseKey(publicKey.export({ format: "jwk" }))]);
      const { name, statement } = behaviour.format ?? { name: "none", statement: Buffer.from([0xa0]) };
      const attestation = toCborMap([
        [toCborText("fmt"), toCborText(name)],
        [toCborText("attStmt"), statement],
        [toCborText("authData"), toCborBytes(toAuthenticatorData(behaviour, attested))],
      ]);
      const response = {
        clientDataJSON: toClientData("webauthn.create", options.challenge, behaviour).toString("base64url"),
        attestationObject: attestation.toString("base64url"),
        transports: ["internal"],
      };
      return JSON.stringify({ ...credential, response, clientExtensionResults: {} });
    },

    /** The response to options for an existing passkey, as JSON. */
    use(options: PublicKeyCredentialRequestOptionsJSON, behaviour: Behaviour = {}): string {
      const clientData = toClientData("webauthn.get", options.challenge, behaviour);
      const data = toAuthenticatorData(behaviour);
      const signature = createSign("sha256").update(data).update(sha256(clientData)).sign(privateKey);
      const handle = behaviour.userHandle === undefined ? userHandle : behaviour.userHandle;
      const response = {
        clientDataJSON: clientData.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: signature.toString("base64url"),
        ...(handle === null ? {} : { userHandle: handle }),
      };
      return JSON.stringify({ ...credential, response, clientExtensionResults: {} });
    },
  };
}

/** A public key as authenticators send it (COSE, RFC 9052). */
function toCoseKey({ x = "", y = "" }: JsonWebKey): Buffer {
  return toCborMap([
    [Buffer.from([0x01]), Buffer.from([0x02])],
    [Buffer.from([0x03]), Buffer.from([0x26])],
    [Buffer.from([0x20]), Buffer.from([0x01])],
    [Buffer.from([0x21]), toCborBytes(Buffer.from(x, "base64url"))],
    [Buffer.from([0x22]), toCborBytes(Buffer.from(y, "base64url"))],
  ]);
}

/** CBOR (RFC 8949), as far as it is needed here: at most 23 entries or characters, and 24 to 255 bytes. */
function toCborMap(entries: readonly (readonly [Buffer, Buffer])[]): Buffer {
  return Buffer.concat([Buffer.from([0xa0 + entries.length]), ...entries.flat()]);
}

function toCborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
}

function toCborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x58, bytes.length]), bytes]);
}

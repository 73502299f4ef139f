import { type Action, atPath, getPassword, matching, type Scene } from "@/e2e/process/action-scene";
import { createPasskeys } from "@/lib/access/sign-in/passkeys";
import { loadSessionSecret } from "@/lib/access/sign-in/tickets";
import { createSoftwareAuthenticator } from "@/lib/access/testing/software-authenticator";
import { systemClock } from "@/lib/platform/timing/clock";

/** The server actions on passkeys of a signed-in account. */

async function storePasskey({ people, target }: Scene): Promise<void> {
  const passkey = { credentialId: target.id, publicKey: Buffer.alloc(1), counter: 0, name: "Phone" };
  const rest = { canBackUp: true, backedUp: true, createdAt: new Date() };
  await people.database.prisma.passkey.create({ data: { accountId: target.id, ...passkey, ...rest } });
}

/** Creates a passkey for the session of the target, as its browser would. */
async function preparePasskey({ people, target, found }: Scene): Promise<void> {
  const secret = await loadSessionSecret(people.database);
  const passkeys = createPasskeys(people.database, { now: systemClock, secret });
  const session = await people.database.prisma.session.findFirstOrThrow({ where: { accountId: target.id } });
  const { host } = new URL(people.spotline.url);
  const site = { host: "localhost", origin: `http://${host.replace("127.0.0.1", "localhost")}` };
  const request = { site, email: target.email, name: "Phone", session: session.id };
  const owner = { kind: "owner", accountId: target.id, confirmed: true } as const;
  const { options, ticket } = await passkeys.beginAdding(request, owner);
  found.created = createSoftwareAuthenticator(site).create(options);
  found.createdTicket = ticket;
}

export const passkeyActions: readonly Action[] = [
  {
    action: "addPasskey",
    name: "prepare a passkey",
    by: "owner",
    path: atPath("/account"),
    words: matching(/Add a passkey/),
    values: () => ({ name: "Phone", ...getPassword() }),
    event: null,
  },
  {
    action: "addPasskey",
    name: "add a passkey",
    by: "owner",
    isForOneSession: true,
    arrange: preparePasskey,
    path: atPath("/account"),
    words: matching(/Add a passkey/),
    values: ({ found: { created = "", createdTicket = "" } }) => {
      return { name: "Phone", created, createdTicket, ...getPassword() };
    },
    event: "account.add_passkey",
  },
  {
    action: "renamePasskey",
    by: "owner",
    arrange: storePasskey,
    path: atPath("/account"),
    words: matching(/Save name/),
    values: () => ({ name: "Tablet" }),
    event: "account.rename_passkey",
  },
  {
    action: "removePasskey",
    by: "owner",
    arrange: storePasskey,
    path: atPath("/account"),
    words: matching(/Remove passkey/),
    values: getPassword,
    event: "account.remove_passkey",
  },
];

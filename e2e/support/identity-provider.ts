import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Configuration, Provider } from "oidc-provider";

/** A certified OpenID Connect server on this machine, with pages of its own on which people sign in. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Requests to its authorization endpoint, as they came. */
  readonly requests: readonly URLSearchParams[];
  /** Changes the groups of a person. */
  setGroups(name: string, groups: readonly string[]): void;
  stop(): Promise<void>;
}

/**
 * Everybody is let in under the name they give. Their address is that name at example.com, and vouched for unless the
 * name begins with "unverified". Their group is "traders", unless they were given others.
 */
export async function startIdentityProvider(redirectUri: string, port: number): Promise<IdentityProvider> {
  const groups = new Map<string, readonly string[]>();
  const issuer = `http://127.0.0.1:${port}`;
  const [clientId, clientSecret] = ["spotline", "a secret of the client, long enough for HMAC"];
  const configuration: Configuration = {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    pkce: { required: () => true },
    claims: { openid: ["sub"], email: ["email", "email_verified", "groups"] },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    cookies: { keys: ["a key of the test's"] },
    findAccount: (_, name) => ({
      accountId: name,
      claims: () => ({
        sub: name,
        email: name.includes("@") ? name : `${name}@Example.com`,
        email_verified: !name.startsWith("unverified"),
        groups: groups.get(name) ?? ["everyone", "traders"],
      }),
    }),
  };
  const requests: URLSearchParams[] = [];
  const handle = new Provider(issuer, configuration).callback();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", issuer);
    if (url.pathname === "/auth") requests.push(url.searchParams);
    void handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clientId,
    clientSecret,
    requests,
    setGroups: (name, list) => void groups.set(name, list),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

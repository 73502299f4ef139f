import { z } from "zod";

/** The sign-in providers besides passwords: GitHub, Google, and any OpenID Connect provider. */

interface ProviderClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface ProviderSettings {
  readonly oidc: (ProviderClient & { readonly issuer: string; readonly name: string }) | null;
  readonly github: ProviderClient | null;
  readonly google: ProviderClient | null;
}

const word = z.string().trim().min(1).optional();

/**
 * Over plain http, anyone on the network path could read tokens and sign in as any user. Traffic within the same machine
 * crosses no network.
 */
const isPrivate = (url: string) =>
  url.startsWith("https:") || ["localhost", "127.0.0.1", "[::1]"].includes(new URL(url).hostname);

export const providerEnvironment = {
  SPOTLINE_OIDC_ISSUER: z
    .url({ protocol: /^https?$/ })
    .refine((url) => URL.canParse(url) && isPrivate(url), "must be an https address")
    .transform((url) => url.replace(/\/+$/, ""))
    .optional(),
  SPOTLINE_OIDC_CLIENT_ID: word,
  SPOTLINE_OIDC_CLIENT_SECRET: word,
  SPOTLINE_OIDC_NAME: z.string().trim().min(1).max(40).default("single sign-on"),
  SPOTLINE_GITHUB_ID: word,
  SPOTLINE_GITHUB_SECRET: word,
  SPOTLINE_GOOGLE_ID: word,
  SPOTLINE_GOOGLE_SECRET: word,
};

type Values = z.infer<z.ZodObject<typeof providerEnvironment>>;

/** The missing settings of each incomplete set of settings that only work together. */
export function listMissingProviderSettings(values: Values): string[] {
  const sets = [
    ["SPOTLINE_OIDC_ISSUER", "SPOTLINE_OIDC_CLIENT_ID", "SPOTLINE_OIDC_CLIENT_SECRET"],
    ["SPOTLINE_GITHUB_ID", "SPOTLINE_GITHUB_SECRET"],
    ["SPOTLINE_GOOGLE_ID", "SPOTLINE_GOOGLE_SECRET"],
  ] as const;
  return sets.flatMap((names) => {
    const missing = names.filter((name) => values[name] === undefined);
    if (missing.length === 0 || missing.length === names.length) return [];
    const given = names.filter((name) => values[name] !== undefined);
    return missing.map((name) => `${name}: needed with ${given.join(" and ")}`);
  });
}

export function readProviders(values: Values): ProviderSettings {
  const issuer = values.SPOTLINE_OIDC_ISSUER;
  const oidc = readClient(values.SPOTLINE_OIDC_CLIENT_ID, values.SPOTLINE_OIDC_CLIENT_SECRET);
  return {
    oidc: issuer === undefined || oidc === null ? null : { ...oidc, issuer, name: values.SPOTLINE_OIDC_NAME },
    github: readClient(values.SPOTLINE_GITHUB_ID, values.SPOTLINE_GITHUB_SECRET),
    google: readClient(values.SPOTLINE_GOOGLE_ID, values.SPOTLINE_GOOGLE_SECRET),
  };
}

function readClient(clientId: string | undefined, clientSecret: string | undefined): ProviderClient | null {
  return clientId === undefined || clientSecret === undefined ? null : { clientId, clientSecret };
}

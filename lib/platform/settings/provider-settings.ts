import { z } from "zod";

/** With whom people may sign in besides their password: GitHub, Google, and any provider that speaks OpenID Connect. */

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

/** What anyone on the way could read would let them sign in as anybody; only on one's own machine is nobody on the way. */
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

/** Settings that only work together: what is missing of each set that was begun. */
export function missingProviderSettings(values: Values): string[] {
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

export function providersIn(values: Values): ProviderSettings {
  const issuer = values.SPOTLINE_OIDC_ISSUER;
  const oidc = clientOf(values.SPOTLINE_OIDC_CLIENT_ID, values.SPOTLINE_OIDC_CLIENT_SECRET);
  return {
    oidc: issuer === undefined || oidc === null ? null : { ...oidc, issuer, name: values.SPOTLINE_OIDC_NAME },
    github: clientOf(values.SPOTLINE_GITHUB_ID, values.SPOTLINE_GITHUB_SECRET),
    google: clientOf(values.SPOTLINE_GOOGLE_ID, values.SPOTLINE_GOOGLE_SECRET),
  };
}

function clientOf(clientId: string | undefined, clientSecret: string | undefined): ProviderClient | null {
  return clientId === undefined || clientSecret === undefined ? null : { clientId, clientSecret };
}

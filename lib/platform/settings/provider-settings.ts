import * as z from "zod";

/** The sign-in providers besides passwords: GitHub, Google, and any OpenID Connect provider. */

interface ProviderClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface ProviderSettings {
  readonly oidc:
    | (ProviderClient & {
        readonly issuer: string;
        readonly name: string;
        readonly scope: string;
        /** The claim that lists a person's groups. */
        readonly groupsClaim: string;
      })
    | null;
  readonly github: ProviderClient | null;
  readonly google: ProviderClient | null;
  readonly required: RequiredMembership;
}

/** Who may sign in with a provider. A person needs one of each list; an empty list admits everyone. */
export interface RequiredMembership {
  /** Domains of verified e-mail addresses at the OpenID Connect provider and at Google, in lower case. */
  readonly domains: readonly string[];
  /** Groups at the OpenID Connect provider. */
  readonly groups: readonly string[];
  /** GitHub's names of organisations, in lower case. */
  readonly organisations: readonly string[];
}

const word = z.string().trim().min(1).optional();
const list = z
  .string()
  .transform((text) => text.split(",").map((item) => item.trim()))
  .transform((items) => items.filter((item) => item !== ""))
  // A list that was given but is empty would admit everyone.
  .pipe(z.array(z.string()).min(1, "must be names, separated by commas"))
  .optional();
const listOf = (form: RegExp, wrong: string) =>
  list
    .transform((items) => items?.map((item) => item.toLowerCase()))
    .pipe(z.array(z.string().regex(form, wrong)).optional());

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
  SPOTLINE_OIDC_SCOPE: z
    .string()
    .trim()
    .regex(/^(\S+ )*openid( \S+)*$/, "must be names separated by spaces, with openid among them")
    .default("openid email"),
  SPOTLINE_OIDC_GROUPS_CLAIM: z.string().trim().min(1).default("groups"),
  SPOTLINE_OIDC_REQUIRED_DOMAINS: listOf(/^[a-z\d-]+(\.[a-z\d-]+)+$/, "must be domains like example.com"),
  SPOTLINE_OIDC_REQUIRED_GROUPS: list,
  SPOTLINE_GITHUB_REQUIRED_ORGANISATIONS: listOf(/^[a-z\d-]+$/, "must be names of organisations like example-company"),
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
  const incomplete = sets.flatMap((names) => {
    const missing = names.filter((name) => values[name] === undefined);
    if (missing.length === 0 || missing.length === names.length) return [];
    const given = names.filter((name) => values[name] !== undefined);
    return missing.map((name) => `${name}: needed with ${given.join(" and ")}`);
  });
  return [...incomplete, ...listMissingClients(values)];
}

/** A requirement of a provider that is not configured would be without effect. */
function listMissingClients(values: Values): string[] {
  const { SPOTLINE_OIDC_ISSUER: oidc, SPOTLINE_GOOGLE_ID: google, SPOTLINE_GITHUB_ID: github } = values;
  const missing: string[] = [];
  if (values.SPOTLINE_OIDC_REQUIRED_DOMAINS !== undefined && oidc === undefined && google === undefined)
    missing.push("SPOTLINE_OIDC_ISSUER: needed with SPOTLINE_OIDC_REQUIRED_DOMAINS, or SPOTLINE_GOOGLE_ID");
  if (values.SPOTLINE_OIDC_REQUIRED_GROUPS !== undefined && oidc === undefined)
    missing.push("SPOTLINE_OIDC_ISSUER: needed with SPOTLINE_OIDC_REQUIRED_GROUPS");
  if (values.SPOTLINE_GITHUB_REQUIRED_ORGANISATIONS !== undefined && github === undefined)
    missing.push("SPOTLINE_GITHUB_ID: needed with SPOTLINE_GITHUB_REQUIRED_ORGANISATIONS");
  return missing;
}

export function readProviders(values: Values): ProviderSettings {
  const issuer = values.SPOTLINE_OIDC_ISSUER;
  const oidc = readClient(values.SPOTLINE_OIDC_CLIENT_ID, values.SPOTLINE_OIDC_CLIENT_SECRET);
  return {
    oidc:
      issuer === undefined || oidc === null
        ? null
        : {
            ...oidc,
            issuer,
            name: values.SPOTLINE_OIDC_NAME,
            scope: values.SPOTLINE_OIDC_SCOPE,
            groupsClaim: values.SPOTLINE_OIDC_GROUPS_CLAIM,
          },
    github: readClient(values.SPOTLINE_GITHUB_ID, values.SPOTLINE_GITHUB_SECRET),
    google: readClient(values.SPOTLINE_GOOGLE_ID, values.SPOTLINE_GOOGLE_SECRET),
    required: {
      domains: values.SPOTLINE_OIDC_REQUIRED_DOMAINS ?? [],
      groups: values.SPOTLINE_OIDC_REQUIRED_GROUPS ?? [],
      organisations: values.SPOTLINE_GITHUB_REQUIRED_ORGANISATIONS ?? [],
    },
  };
}

function readClient(clientId: string | undefined, clientSecret: string | undefined): ProviderClient | null {
  return clientId === undefined || clientSecret === undefined ? null : { clientId, clientSecret };
}

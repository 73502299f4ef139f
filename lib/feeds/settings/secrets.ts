import type { FeedKind } from "@/lib/feeds/feed-kind";

/** Secrets of sources, which are read from the environment only. */

export type Environment = Readonly<Record<string, string | undefined>>;

const toWords = (text: string) =>
  text
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toUpperCase();

/** The variable of a secret: of one source by its name, of all sources of a kind by the kind's. */
export function formatSecretName(sourceOrKind: string, secret: string): string {
  return `SPOTLINE_${toWords(sourceOrKind)}_${toWords(secret)}`;
}

/** Reads the secrets of one source. Describes each missing one in `faults`. */
export function readSecrets(
  { kind, secrets }: FeedKind,
  name: string,
  env: Environment,
  faults: string[],
): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [secret, help] of Object.entries(secrets)) {
    const [own, shared] = [formatSecretName(name, secret), formatSecretName(kind, secret)];
    const value = env[own] || env[shared];
    if (value !== undefined && value !== "") values[secret] = value;
    else faults.push(`${own}: needed by the source ${name}: ${help}`);
  }
  return values;
}

const SECRET_FIELD = /(token|key|secret|passw(or)?d|credentials?)$/i;

/** Describes each field of an entry that holds a secret: a file is copied and shared too easily. */
export function describeSecretFields(
  { secrets, settings }: FeedKind,
  entry: Readonly<Record<string, unknown>>,
  name: string,
): { readonly field: string; readonly fault: string }[] {
  return Object.keys(entry)
    .filter((field) => field in secrets || (SECRET_FIELD.test(field) && !(field in settings)))
    .map((field) => ({
      field,
      fault: `does not belong in the file; set ${formatSecretName(name, field)} in the environment or in .env`,
    }));
}

/** The variables that sources of these kinds and names may have. */
export function listKnownSecrets(kinds: readonly FeedKind[], names: readonly { name: string; kind: string }[]) {
  const known = new Set<string>();
  for (const kind of kinds) {
    const users = [kind.kind, ...names.filter((each) => each.kind === kind.kind).map(({ name }) => name)];
    for (const secret of Object.keys(kind.secrets)) {
      for (const user of users) known.add(formatSecretName(user, secret));
    }
  }
  return known;
}

/** The secrets of all sources. */
export function listSecrets(sources: readonly { readonly secrets: Readonly<Record<string, string>> }[]): string[] {
  return sources.flatMap(({ secrets }) => Object.values(secrets));
}

import { type AuditEvent, SERVER_NAME } from "@/lib/access/audit/record";
import { isId } from "@/lib/access/id";
import { DAY_MS } from "@/lib/time/units";
import type { Prisma } from "@/prisma/generated/client";

/** The kinds of events, which are the first parts of their names. */
export const AUDIT_KINDS = [
  "account",
  "key",
  "session",
  "plan_request",
  "invitation",
  "alert",
  "webhook",
  "ingest_token",
  "source",
] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];

/** Who made the change: the visitor, another account, the operator's command line, or a caller who is not signed in. */
export const AUDIT_ACTORS = ["me", "others", "cli", "somebody"] as const;
export type AuditActor = (typeof AUDIT_ACTORS)[number];

/** What to show of the log. Undefined means all. */
export interface AuditFilter {
  readonly kind?: AuditKind | undefined;
  readonly by?: AuditActor | undefined;
  /** UTC days, both included: the first milliseconds of them. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  /** A part of the event's name, the key's label or the address; for operators also of an account's e-mail address. */
  readonly text?: string | undefined;
}

/** Who reads, so that a filter finds nothing by what the reader may not see. */
export interface AuditReader {
  readonly id: string;
  readonly role: "operator" | "member";
}

/** Names that `record` stores in place of an account's id. */
const ACTOR_NAMES = { cli: "operator CLI", somebody: "somebody" } as const;
const MAX_NAMED = 500;

/** The conditions of a filter. Looks up the keys and accounts that its text names. */
export async function findConditions(
  prisma: Pick<Prisma.TransactionClient, "apiKey" | "account">,
  { kind, by, fromMs, toMs, text = "" }: AuditFilter,
  reader: AuditReader,
): Promise<Prisma.AuditEventWhereInput[]> {
  const conditions: Prisma.AuditEventWhereInput[] = [];
  if (kind !== undefined) conditions.push({ event: { startsWith: `${kind}.` } });
  if (by === "me") conditions.push({ actor: reader.id });
  if (by === "others") conditions.push({ actor: { notIn: [reader.id, SERVER_NAME, ...Object.values(ACTOR_NAMES)] } });
  if (by === "cli" || by === "somebody") conditions.push({ actor: ACTOR_NAMES[by] });
  if (fromMs !== undefined) conditions.push({ at: { gte: new Date(fromMs) } });
  if (toMs !== undefined) conditions.push({ at: { lt: new Date(toMs + DAY_MS) } });
  if (text !== "") conditions.push({ OR: await findTextConditions(prisma, text, reader) });
  return conditions;
}

async function findTextConditions(
  prisma: Pick<Prisma.TransactionClient, "apiKey" | "account">,
  text: string,
  { id, role }: AuditReader,
): Promise<Prisma.AuditEventWhereInput[]> {
  const isOperator = role === "operator";
  const part = { contains: text.replaceAll(/[\\%_]/g, "\\$&"), mode: "insensitive" } as const;
  const keys = await prisma.apiKey.findMany({
    where: { ...(isOperator ? {} : { accountId: id }), OR: [{ label: part }, { last4: text }] },
    select: { id: true },
    take: MAX_NAMED,
  });
  // A member sees the addresses of its own changes only.
  const address = isOperator ? { address: part } : { address: part, actor: id };
  const conditions: Prisma.AuditEventWhereInput[] = [
    { event: part },
    address,
    { keyId: { in: keys.map((key) => key.id) } },
  ];
  if (!isOperator) return conditions;
  const byEmail = await prisma.account.findMany({ where: { email: part }, select: { id: true }, take: MAX_NAMED });
  const ids = byEmail.map((account) => account.id);
  if (isId(text)) ids.push(text);
  return [...conditions, { accountId: { in: ids } }, { actor: { in: ids } }];
}

/** An event as a member sees it. The account and the network address of an operator who made the change are left out. */
export function toMemberView(event: AuditEvent, accountId: string): AuditEvent {
  const isOperators = isId(event.actor) && event.actor !== accountId;
  return isOperators ? { ...event, actor: "the operator", address: null } : event;
}

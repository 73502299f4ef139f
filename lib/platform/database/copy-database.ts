import pg from "pg";
import { silentLog } from "../log/log";
import { type AppliedRow, applyMigrations, READ_APPLIED } from "./migrations";

/**
 * Copies a database of an earlier version to one of another engine, exactly. Both render rows as the same texts: these are
 * what is copied, and what is compared afterwards.
 */

/** A database that cannot be upgraded. The message is for the operator. */
export class UpgradeRefused extends Error {
  override readonly name = "UpgradeRefused";
  readonly code = "UPGRADE_REFUSED";
}

/** What was copied of a table so far. */
export interface TableProgress {
  readonly table: string;
  readonly rows: number;
  readonly ms: number;
  readonly isDone: boolean;
}

/** A database of PGlite. */
export interface OldDatabase {
  query<Row>(sql: string): Promise<{ readonly rows: Row[]; readonly blob?: Blob | undefined }>;
  close(): Promise<void>;
}

/** Gives each value one text in both databases. */
const SESSION = [
  "SET TimeZone = 'UTC'",
  "SET DateStyle = 'ISO, YMD'",
  "SET IntervalStyle = 'postgres'",
  "SET extra_float_digits = 1",
  "SET bytea_output = 'hex'",
  "SET search_path = public",
];

export interface CopyOptions {
  readonly onProgress: (progress: TableProgress) => void;
  /** The folder of the migrations; that of this version unless given. */
  readonly directory?: string;
}

/**
 * Copies all tables and sequences into an empty database, exactly, and migrates it to this version. Throws
 * MigrationRefused for a database that is newer than this version, and UpgradeRefused if a table differs afterwards.
 */
export async function copyDatabase(old: OldDatabase, client: pg.ClientBase, options: CopyOptions): Promise<void> {
  const { onProgress, directory } = options;
  const migrations = { log: silentLog, ...(directory !== undefined && { directory }) };
  for (const setting of SESSION) await Promise.all([old.query(setting), client.query(setting)]);
  const { rows: like } = await old.query<AppliedRow>(READ_APPLIED);
  await applyMigrations(client, { ...migrations, like });
  await client.query("BEGIN");
  // Triggers and foreign keys have done their work when the rows were first written.
  await client.query("SET LOCAL session_replication_role = replica");
  const relations = (await old.query<Relation>(RELATIONS)).rows;
  for (const { partition } of relations) if (partition !== null) await client.query(`CREATE TABLE ${partition}`);
  await requireKnown(relations, client);
  const tables = relations.filter(({ kind }) => kind === "r");
  // Also what migrations have inserted. In the transaction of the copying, so that rows are written as frozen.
  await client.query(`TRUNCATE ${tables.map(({ name }) => name).join()}`);
  for (const table of tables) await copyTable(old, client, table, onProgress);
  for (const { name, last } of relations) {
    if (last !== null) await client.query("SELECT setval($1, $2)", [name, last]);
  }
  await client.query("COMMIT");
  await applyMigrations(client, migrations);
  await client.query("ANALYZE");
  // So that stopping takes no longer than usual.
  await client.query("CHECKPOINT");
}

interface Relation {
  readonly name: string;
  /** "r" is a table, "p" a partitioned one, "S" a sequence. */
  readonly kind: string;
  /** What creates a partition: a server creates them as time passes. */
  readonly partition: string | null;
  readonly columns: string;
  readonly pages: number;
  /** How many pages are copied at once: a few megabytes of text. Those of a table with large values name far more. */
  readonly atOnce: number;
  /** The last value of a sequence. */
  readonly last: string | null;
}

const RELATIONS = `
  SELECT c.oid::regclass::text AS name, relkind::text AS kind,
         CASE WHEN relispartition
           THEN concat_ws(' ', c.oid::regclass, 'PARTITION OF', inhparent::regclass, pg_get_expr(relpartbound, c.oid))
         END AS partition,
         (SELECT string_agg(quote_ident(attname), ', ' ORDER BY attname) FROM pg_attribute
           WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns,
         CASE WHEN relkind = 'r' THEN pg_relation_size(c.oid) / current_setting('block_size')::int ELSE 0 END::int AS pages,
         CASE WHEN reltoastrelid <> 0 AND pg_relation_size(reltoastrelid) > 0 THEN 16 ELSE 256 END AS "atOnce",
         CASE WHEN relkind = 'S' THEN pg_sequence_last_value(c.oid) END::text AS last
    FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace LEFT JOIN pg_inherits ON inhrelid = c.oid
   WHERE relkind NOT IN ('i', 'I', 't', 'c') AND nspname !~ '^pg_|^information_schema$'
   ORDER BY 1`;

/** Throws UpgradeRefused if the old database has something that the migrations do not create. */
async function requireKnown(relations: readonly Relation[], client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<Relation>(RELATIONS);
  const known = new Set(rows.map(({ name }) => name));
  const [foreign] = relations.filter(({ name }) => !known.has(name));
  if (foreign === undefined) return;
  throw new UpgradeRefused(
    `The database has something that is not Spotline's: ${foreign.name}. Save it and drop it with the earlier version first.`,
  );
}

async function copyTable(
  old: OldDatabase,
  client: pg.ClientBase,
  table: Relation,
  onProgress: (progress: TableProgress) => void,
): Promise<void> {
  const { name, columns, pages, atOnce } = table;
  const startedAtMs = performance.now();
  const report = (isDone: boolean) =>
    onProgress({ table: name, rows: Number(copied.rows), ms: performance.now() - startedAtMs, isDone });
  let copied: Digest = EMPTY;
  for (let from = 0; from === 0 || from < pages; from += atOnce) {
    const to = from + atOnce;
    // The last part has no end, so that it has all that is left.
    const part = `ctid >= '(${from},0)'${to < pages ? ` AND ctid < '(${to},0)'` : ""}`;
    const { blob } = await old.query(`COPY (SELECT ${columns} FROM ONLY ${name} WHERE ${part}) TO '/dev/blob'`);
    const bytes = blob === undefined ? Buffer.alloc(0) : Buffer.from(await blob.arrayBuffer());
    if (bytes.length > 0) await copyIn(client, `COPY ${name} (${columns}) FROM STDIN (FREEZE)`, bytes);
    copied = add(copied, (await old.query<Digest>(digestOf(table, part))).rows[0] as Digest);
    report(false);
  }
  const { rows: counted } = await old.query<{ rows: string }>(`SELECT count(*)::text AS rows FROM ONLY ${name}`);
  const [written = EMPTY] = (await client.query<Digest>(digestOf(table, "true"))).rows;
  const isEqual = counted[0]?.rows === written.rows && JSON.stringify(copied) === JSON.stringify(written);
  if (!isEqual) {
    throw new UpgradeRefused(
      `The copy of the table ${name} differs from the original: it has ${written.rows} rows of ${counted[0]?.rows}. Nothing was changed.`,
    );
  }
  report(true);
}

/** The number of a table's rows, and the sums of two hashes of the texts of its rows, which do not depend on their order. */
interface Digest {
  readonly rows: string;
  readonly first: string;
  readonly second: string;
}

const EMPTY: Digest = { rows: "0", first: "0", second: "0" };

const digestOf = ({ name, columns }: Relation, part: string) => `
  SELECT count(*)::text AS rows, coalesce(sum(hashtextextended(line, 0)), 0)::text AS first,
         coalesce(sum(hashtextextended(line, 1)), 0)::text AS second
    FROM (SELECT ROW(${columns})::text AS line FROM ONLY ${name} WHERE ${part} OFFSET 0) lines`;

function add(one: Digest, other: Digest): Digest {
  const sum = (name: keyof Digest) => String(BigInt(one[name]) + BigInt(other[name]));
  return { rows: sum("rows"), first: sum("first"), second: sum("second") };
}

interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Runs COPY … FROM STDIN with all of its data. */
function copyIn(client: pg.ClientBase, sql: string, data: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const callback = (error: Error | null) => (error === null ? resolve() : reject(error));
    // pg has the messages, but its queries refuse to send data.
    const handleCopyInResponse = (connection: CopyConnection) => {
      connection.sendCopyFromChunk(data);
      connection.endCopyFrom();
    };
    client.query(Object.assign(new pg.Query(sql), { callback, handleCopyInResponse }));
  });
}

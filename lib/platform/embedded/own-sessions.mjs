/** The sessions of our own processes. The application names are those of connections to the embedded database. */

export const OWN_NAME = "spotline";
/** Postpones checkpoints while it is connected, because a backup needs the log since its beginning. */
export const BACKUP_NAME = "spotline backup";

/**
 * What Spotline needs of a session. Roles and databases have defaults of their own, and these decide how PostgreSQL writes
 * times and numbers, where it finds tables, and when it ends a statement.
 */
export const SESSION_SETTINGS = {
  // Prisma's adapter sends and reads timestamps without a zone, in ISO 8601.
  TimeZone: "UTC",
  DateStyle: "ISO, YMD",
  IntervalStyle: "postgres",
  extra_float_digits: "1",
  standard_conforming_strings: "on",
  // Prisma names this schema, and other statements none.
  search_path: "public",
  // Queries have time limits of their own, and long work such as a migration has none.
  statement_timeout: "0",
  lock_timeout: "0",
  default_transaction_isolation: "read committed",
};

/** Sets up a session with statements: for the embedded database, whose connections share one. */
export const SESSION = Object.entries(SESSION_SETTINGS)
  .map(([name, value]) => `SET ${name} = ${name === "search_path" ? value : `'${value}'`}`)
  .join("; ");

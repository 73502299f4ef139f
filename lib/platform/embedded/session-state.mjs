// What a program sets in its session on the embedded PostgreSQL: its settings and its prepared statements. Temporary
// tables, LISTEN, advisory locks and cursors beyond a transaction are not kept.
import { SESSION } from "./own-sessions.mjs";
import { serializeParse } from "./protocol.mjs";

/**
 * @typedef {object} SessionState
 * @property {{ name: string, setting: string }[]} settings
 * @property {{ name: string, statement: string, from_sql: boolean, types: number[] }[]} statements
 */

/** Reads what differs from a new session. @returns {Promise<SessionState>} */
export async function readSession(pglite) {
  // The role is not among the settings. It comes last, because it may lack the right to change others.
  const settings = await pglite.query(
    `SELECT name, setting FROM pg_catalog.pg_settings WHERE source = 'session'
     UNION ALL SELECT name, current_setting(name) FROM (VALUES ('session_authorization'), ('role')) AS role (name)
       WHERE current_setting(name) NOT IN ('', 'none')`,
  );
  const statements = await pglite.query(
    `SELECT name, statement, from_sql, array_to_json(parameter_types::oid[]) AS types
       FROM pg_catalog.pg_prepared_statements ORDER BY prepare_time`,
  );
  return { settings: settings.rows, statements: statements.rows };
}

/** Makes the session that of our own processes. */
export async function resetSession(pglite) {
  await pglite.exec("DISCARD ALL");
  // In PGlite, DISCARD ALL does not end SET SESSION AUTHORIZATION.
  await pglite.exec("SET SESSION AUTHORIZATION postgres");
  // A database may have other defaults: ALTER DATABASE … SET timezone.
  await pglite.exec(SESSION);
}

/** Brings back what `readSession` read, into a session that was reset. */
export async function restoreSession(pglite, { settings, statements }) {
  for (const { name, setting } of settings) {
    await pglite.query("SELECT pg_catalog.set_config($1, $2, false)", [name, setting]);
  }
  for (const { name, statement, from_sql, types } of statements) {
    if (from_sql) await pglite.exec(statement);
    else await pglite.execProtocolRawStream(serializeParse(name, statement, types), { onRawData: () => {} });
  }
}

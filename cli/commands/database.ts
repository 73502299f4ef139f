import { type Command, UsageError } from "@/cli/command";
import { loadConfig } from "@/lib/platform/config";
import { readEmbeddedSettings } from "@/lib/platform/embedded/embedded-server";

/** Prints how other programs of this machine connect to the embedded database. */

const url: Command = {
  name: "database url",
  summary: "Print how psql, Grafana or DuckDB connect to the embedded database",
  options: {},
  async run() {
    const { databaseUrl, dataDir } = loadConfig(process.env);
    if (databaseUrl !== undefined) {
      throw new UsageError("The database is your own PostgreSQL: programs connect to it with DATABASE_URL.");
    }
    const settings = await readEmbeddedSettings(dataDir).catch(() => {
      throw new UsageError("The embedded database runs while the server does: start the server, then ask again.");
    });
    const { host = "", port = 0, user = "", database = "" } = settings;
    const password = typeof settings.password === "string" ? settings.password : null;
    const address =
      password === null
        ? `postgres://${user}@/${database}?host=${encodeURIComponent(host)}`
        : `postgres://${user}:${password}@${host}:${port}/${database}`;
    const words = [`host=${host}`, `port=${port}`, `user=${user}`, `dbname=${database}`];
    if (password !== null) words.push(`password=${password}`);
    const rows = [
      `psql     psql "${address}"`,
      `DuckDB   ATTACH '${words.join(" ")}' AS spotline (TYPE postgres, READ_ONLY);`,
      `Grafana  PostgreSQL, host ${password === null ? host : `${host}:${port}`}, user ${user}, database ${database}, TLS off`,
    ];
    const note =
      password === null
        ? "The socket is for the account that runs the database, and for root."
        : "The database listens on this machine only. Its port changes with each start.";
    return { json: { url: address }, text: `${address}\n\n${rows.join("\n")}\n\n${note}` };
  },
};

export const databaseCommands: readonly Command[] = [url];

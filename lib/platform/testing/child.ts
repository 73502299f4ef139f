import { joinDatabase, openDatabase } from "../database/database";
import { silentLog } from "../log/log";

/**
 * Work that tests run in a separate process: `child.ts <what> <data folder>`. It reports in lines on standard output.
 */

const [what, dataDir = ""] = process.argv.slice(2);
const options = { databaseUrl: undefined, dataDir, log: silentLog };
const print = (line: string) => void process.stdout.write(`${line}\n`);

if (what === "insert") await insertUntilKilled();
if (what === "open") await openThenClose();
if (what === "join") await joinAndWrite();

/** Stores rows on several connections at once, and prints each one's number once the database has acknowledged it. */
async function insertUntilKilled(): Promise<never> {
  const { pool } = await openDatabase(options);
  await pool.query("CREATE TABLE IF NOT EXISTS acknowledged (id BIGSERIAL PRIMARY KEY, filler TEXT)");
  const insert = async (width: number): Promise<never> => {
    for (;;) {
      const filler = "x".repeat(width);
      const { rows } = await pool.query<{ id: string }>("INSERT INTO acknowledged (filler) VALUES ($1) RETURNING id", [
        filler,
      ]);
      print(rows[0]?.id ?? "");
    }
  };
  return Promise.race([10, 500, 3_000, 9_000].map(insert));
}

async function openThenClose(): Promise<void> {
  try {
    const db = await openDatabase(options);
    await db.close();
    print("opened");
  } catch (error) {
    print((error as Error).message);
  }
}

async function joinAndWrite(): Promise<void> {
  const db = await joinDatabase(options);
  await db.prisma.setting.create({ data: { name: "from a command", value: String(process.pid) } });
  await db.close();
  print("joined");
}

import type { Pool } from "pg";
import type { KeyEntry } from "@/lib/access/admission/directory";
import { findNetwork } from "@/lib/access/allow-list";
import type { NewNotice } from "@/lib/access/notices/notices";
import { DAY_MS } from "@/lib/time/units";

/**
 * From where keys are used, and where calls with them are refused, for notices to their owners. A call compares one text
 * with the address of the call before; only an address that is new to this process is looked up in the database, later.
 */
export type KeyUses = ReturnType<typeof createKeyUses>;

interface Use {
  readonly key: KeyEntry;
  readonly address: string | null;
  /** The network of the address; empty if it is unknown. */
  readonly place: string;
  readonly atMs: number;
}

/** The addresses of a key that were noted. */
interface Seen {
  lastAddress: string;
  readonly addresses: Set<string>;
}

interface Refused {
  readonly day: number;
  readonly addresses: Set<string | null>;
}

/** For one key. A key that is used from more is used from everywhere. */
const MAX_PLACES = 100;
const MAX_WAITING = 10_000;

export function createKeyUses() {
  const seen = new WeakMap<KeyEntry, Seen>();
  const refused = new WeakMap<KeyEntry, Refused>();
  let uses = new Map<string, Use>();
  let refusals = new Map<string, Use>();

  function noteAddress(key: KeyEntry, address: string, atMs: number): void {
    const before = seen.get(key) ?? { lastAddress: address, addresses: new Set() };
    seen.set(key, before);
    before.lastAddress = address;
    note(uses, before.addresses, { key, address, atMs });
  }

  /** Notes a use, unless its address was noted. */
  function note(waiting: Map<string, Use>, addresses: Set<string | null>, use: Omit<Use, "place">): void {
    const { key, address } = use;
    if (addresses.has(address) || waiting.size >= MAX_WAITING) return;
    if (addresses.size >= MAX_PLACES) addresses.clear();
    addresses.add(address);
    const place = findNetwork(address);
    waiting.set(`${key.id} ${place}`, { ...use, place });
  }

  return {
    /** Notes a call that the key's allow-list admits. */
    accepted(key: KeyEntry, address: string | null, atMs: number): void {
      if (address !== null && seen.get(key)?.lastAddress !== address) noteAddress(key, address, atMs);
    },

    /** Notes a call that the key's allow-list refuses: the first of a day from an address. */
    refused(key: KeyEntry, address: string | null, atMs: number): void {
      const day = Math.floor(atMs / DAY_MS);
      const earlier = refused.get(key);
      const today = earlier?.day === day ? earlier : { day, addresses: new Set<string | null>() };
      refused.set(key, today);
      note(refusals, today.addresses, { key, address, atMs });
    },

    /** Passes the notices about what was noted to `write`. If it fails it keeps all for the next flush. */
    async flush(pool: Pool, write: (notices: readonly NewNotice[]) => Promise<void>): Promise<void> {
      if (uses.size === 0 && refusals.size === 0) return;
      const [takenUses, takenRefusals] = [uses, refusals];
      uses = new Map();
      refusals = new Map();
      try {
        const added = await findNewPlaces(pool, takenUses);
        await write([
          ...added.filter(({ hasOthers }) => hasOthers).map(({ use }) => buildNotice(use, "key used")),
          ...Array.from(takenRefusals.values(), (use) => buildNotice(use, "key refused")),
        ]);
        // After the notices: if this fails the places are still new, and a notice has each of them once.
        await storePlaces(
          pool,
          added.map(({ use }) => use),
        );
      } catch (error) {
        uses = new Map([...takenUses, ...uses]);
        refusals = new Map([...takenRefusals, ...refusals]);
        throw error;
      }
    },
  };
}

function buildNotice({ key, address, atMs }: Use, event: "key used" | "key refused"): NewNotice {
  const at = new Date(atMs).toISOString();
  const { id: keyId, label, accountId } = key;
  return {
    accountId,
    topic: `${event} ${keyId} ${at.slice(0, 10)}`,
    level: 1,
    facts: { kind: "security", event, at, keyId, label, address, byOperator: false },
    againAtMs: (Math.floor(atMs / DAY_MS) + 1) * DAY_MS,
  };
}

/** The uses from places that their key was not used from before; `hasOthers` is false for the first places of a key. */
async function findNewPlaces(pool: Pool, uses: ReadonlyMap<string, Use>) {
  const { rows } = await pool.query<{ keyId: string; place: string; hasOthers: boolean }>(
    `SELECT used.key_id AS "keyId", used.place,
            EXISTS (SELECT FROM key_place WHERE key_place.key_id = used.key_id) AS "hasOthers"
       FROM unnest($1::uuid[], $2::text[]) AS used (key_id, place) JOIN api_key ON api_key.id = used.key_id
      WHERE NOT EXISTS (SELECT FROM key_place
                         WHERE key_place.key_id = used.key_id AND key_place.place = used.place)`,
    toColumns([...uses.values()]),
  );
  return rows.flatMap(({ keyId, place, hasOthers }) => {
    const use = uses.get(`${keyId} ${place}`);
    return use === undefined ? [] : [{ use, hasOthers }];
  });
}

/** Stores places, and forgets the oldest ones of keys that have too many. */
async function storePlaces(pool: Pool, uses: readonly Use[]): Promise<void> {
  if (uses.length === 0) return;
  const [keyIds, places] = toColumns(uses);
  await pool.query(
    `INSERT INTO key_place (key_id, place, seen_at)
     SELECT used.key_id, used.place, to_timestamp(used.at_ms / 1000)
       FROM unnest($1::uuid[], $2::text[], $3::float8[]) AS used (key_id, place, at_ms)
       JOIN api_key ON api_key.id = used.key_id
     ON CONFLICT DO NOTHING`,
    [keyIds, places, uses.map(({ atMs }) => atMs)],
  );
  await pool.query(
    `DELETE FROM key_place USING (
       SELECT key_id, place, row_number() OVER (PARTITION BY key_id ORDER BY seen_at DESC, place) AS rank
         FROM key_place WHERE key_id = ANY($1::uuid[])) AS ranked
      WHERE ranked.rank > ${MAX_PLACES} AND key_place.key_id = ranked.key_id AND key_place.place = ranked.place`,
    [keyIds],
  );
}

function toColumns(uses: readonly Use[]): [keyIds: string[], places: string[]] {
  return [uses.map(({ key }) => key.id), uses.map(({ place }) => place)];
}

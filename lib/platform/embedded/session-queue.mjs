// Keeps the connections to the embedded PostgreSQL apart. PGlite has one session, which all of them share, so messages
// run one after another, and the session is reset where it passes from one program to another. Work of our own comes
// first, so it waits for at most one transaction of another program.
import { BACKUP_NAME, OWN_NAME } from "./own-sessions.mjs";
import { endStatement, failCopy, isGreeting, leavesStatementOpen, readApplicationName } from "./protocol.mjs";
import { readSession, resetSession, restoreSession } from "./session-state.mjs";

/** Connections of Spotline's own processes. They change no settings but the time zone, so they share one state. */
const OWN_NAMES = [OWN_NAME, BACKUP_NAME];

/**
 * @typedef {object} Connection
 * @property {boolean} isOpen
 * @property {string | null} name  the application name; null before its greeting
 * @property {import("./session-state.mjs").SessionState | null} state  its settings while another's are loaded
 * @property {(sentence: string) => void} refuse  closes the connection with an error
 */

/**
 * The queue of all messages for PGlite. `PGLiteSocketHandler` calls `enqueue`, `clearQueueForHandler` and
 * `clearTransactionIfNeeded`.
 */
export class SessionQueue {
  #pglite;
  #transactionLimitMs;
  #idleLimitMs;
  #onBroken;
  #onForeign;
  /** @type {Map<number, Connection>} */
  #connections = new Map();
  #waiting = [];
  #isRunning = false;
  /** The connection that is inside a transaction or a statement: no other one may run. */
  #holder = null;
  #holdTimer;
  /** Runs while our own work waits for a foreign holder that sends nothing. */
  #idleTimer;
  #isStatementOpen = false;
  /** The foreign connection whose settings the session has; null if it has those of our own processes. */
  #loaded = null;

  /**
   * `transactionLimitMs` is how long another program may keep a transaction open, and `idleLimitMs` how long without a
   * message while our own work waits. `onBroken` is called with an error after which the session cannot be used, and
   * `onForeign` before and after each message of another program.
   */
  constructor(pglite, { transactionLimitMs, idleLimitMs, onBroken, onForeign = () => {} }) {
    this.#pglite = pglite;
    this.#transactionLimitMs = transactionLimitMs;
    this.#idleLimitMs = idleLimitMs;
    this.#onBroken = onBroken;
    this.#onForeign = onForeign;
  }

  /** Adds a connection before its first message. */
  open(id, refuse) {
    this.#connections.set(id, { isOpen: true, name: null, state: null, refuse });
  }

  /** Whether a connection with this application name is open. */
  isConnected(name) {
    return [...this.#connections.values()].some((connection) => connection.name === name);
  }

  /** Runs one message of the frontend and passes the answer to `onData`. Resolves to the answer's size in bytes. */
  enqueue(id, message, onData) {
    const connection = this.#connections.get(id);
    if (connection === undefined) return Promise.reject(new Error("The connection is closed"));
    if (isGreeting(message)) connection.name = readApplicationName(message);
    return this.#add(connection, () => this.#execute(connection, message, onData));
  }

  /** Runs work of our own, outside of any transaction. */
  runOwn(work) {
    return this.#add(null, async () => {
      await this.#load(null);
      return work(this.#pglite);
    });
  }

  clearQueueForHandler(id) {
    const connection = this.#connections.get(id);
    this.#waiting = this.#waiting.filter((entry) => {
      const isLeft = connection !== undefined && entry.connection === connection;
      if (isLeft) entry.reject(new Error("The connection is closed"));
      return !isLeft;
    });
  }

  /** Forgets a connection, and rolls back what it left open. */
  async clearTransactionIfNeeded(id) {
    const connection = this.#connections.get(id);
    if (connection === undefined) return;
    this.#connections.delete(id);
    connection.isOpen = false;
    await this.#add(connection, async () => {
      if (this.#holder === connection) await this.#rollBack();
    });
  }

  #add(connection, work) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ connection, work, resolve, reject });
      void this.#run();
    });
  }

  async #run() {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let next = this.#take(); next !== undefined; next = this.#take()) {
      await next.work().then(next.resolve, next.reject);
    }
    this.#isRunning = false;
    this.#limitIdleHolder();
  }

  /** The holder's next message; without a holder that of our own connections, or else the first of all. */
  #take() {
    const holder = this.#holder;
    const at = this.#waiting.findIndex(({ connection }) =>
      holder === null ? isOwn(connection) : connection === holder,
    );
    if (at === -1) return holder === null ? this.#waiting.shift() : undefined;
    return this.#waiting.splice(at, 1)[0];
  }

  #limitIdleHolder() {
    const holder = this.#holder;
    if (holder === null || isOwn(holder) || this.#idleTimer !== undefined) return;
    if (!this.#waiting.some(({ connection }) => isOwn(connection))) return;
    this.#idleTimer = setTimeout(
      () => refuseTransaction(holder, "leave one idle", this.#idleLimitMs),
      this.#idleLimitMs,
    );
  }

  async #execute(connection, message, onData) {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = undefined;
    const isForeign = !isOwn(connection);
    const session = isForeign ? connection : null;
    if (session !== this.#loaded) await this.#load(session);
    let size = 0;
    const onRawData = (data) => {
      size += data.length;
      onData(data);
    };
    if (isForeign) this.#onForeign(true);
    try {
      await this.#pglite.execProtocolRawStream(isForeign ? failCopy(message) : message, { onRawData });
    } catch (error) {
      // An unknown greeting has no effect on others. After any other error the session cannot be used.
      if (!isGreeting(message)) this.#onBroken(error);
      throw error;
    } finally {
      if (isForeign) this.#onForeign(false);
    }
    this.#isStatementOpen = leavesStatementOpen(message, this.#isStatementOpen);
    this.#updateHolder(connection, isForeign);
    return size;
  }

  #updateHolder(connection, isForeign) {
    if (!this.#isStatementOpen && !this.#pglite.isInTransaction()) {
      this.#release();
    } else if (this.#holder !== connection) {
      this.#holder = connection;
      if (!isForeign) return;
      const limitMs = this.#transactionLimitMs;
      this.#holdTimer = setTimeout(() => refuseTransaction(connection, "keep one open", limitMs), limitMs);
    }
  }

  #release() {
    this.#holder = null;
    clearTimeout(this.#holdTimer);
    clearTimeout(this.#idleTimer);
    this.#idleTimer = undefined;
  }

  async #rollBack() {
    if (this.#isStatementOpen) await this.#pglite.execProtocolRawStream(endStatement, { onRawData: () => {} });
    this.#isStatementOpen = false;
    if (this.#pglite.isInTransaction()) await this.#pglite.exec("ROLLBACK");
    this.#release();
  }

  /** Gives the session the settings of a foreign connection, or with null those of our own processes. */
  async #load(connection) {
    const previous = this.#loaded;
    if (connection === previous) return;
    try {
      if (previous !== null) {
        if (previous.isOpen) previous.state = await readSession(this.#pglite).catch(() => refuseLost(previous));
        await resetSession(this.#pglite);
      }
      this.#loaded = null;
    } catch (error) {
      this.#onBroken(error);
      throw error;
    }
    if (connection === null) return;
    this.#loaded = connection;
    if (connection.state === null) return;
    await restoreSession(this.#pglite, connection.state).catch((error) => {
      refuseLost(connection);
      throw error;
    });
  }
}

/** Whether work is that of our own processes; null is that of this thread. */
function isOwn(connection) {
  return connection === null || OWN_NAMES.includes(connection.name);
}

function refuseTransaction(connection, what, limitMs) {
  connection.refuse(
    `the transaction was rolled back: other programs may ${what} for ${limitMs / 1000} s on the embedded database, because Spotline waits meanwhile`,
  );
}

function refuseLost(connection) {
  connection.refuse("the settings of this connection could not be kept while other connections were served");
  return null;
}

// The messages of PostgreSQL's wire protocol that keeping sessions apart needs:
// https://www.postgresql.org/docs/current/protocol-message-formats.html

/** Ends a statement of several messages: Sync. */
export const endStatement = new Uint8Array([0x53, 0, 0, 0, 4]);

/** A connection's first message has a length of less than 16 MiB instead of a type. */
export const isGreeting = (message) => message[0] === 0;

/** The application name in a greeting; empty if it has none. */
export function readApplicationName(message) {
  const words = Buffer.from(message).toString("utf8", 8).split("\0");
  for (let at = 0; at + 1 < words.length; at += 2) if (words[at] === "application_name") return words[at + 1];
  return "";
}

/**
 * Whether a statement is unfinished after this message. Parse, Bind, Describe, Execute, Close and Flush belong to one
 * that only Sync ends, even after an error.
 */
export function leavesStatementOpen(message, isOpen) {
  const type = String.fromCharCode(message[0]);
  if (type === "S") return false;
  return isOpen || "PBDECH".includes(type);
}

/** Whether a message asks for the answers so far. */
export const isFlush = (message) => message[0] === 0x48;

const ERROR_RESPONSE = 0x45;

/** Whether an answer consists of whole messages, none of which is an error. */
export function mayWait(answer) {
  const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.length);
  let at = 0;
  while (at + 5 <= bytes.length && bytes[at] !== ERROR_RESPONSE) at += 1 + bytes.readUInt32BE(at + 1);
  return at === bytes.length;
}

const NO_COPY = serialize("f", text("COPY FROM STDIN is not possible on the embedded database"));

/**
 * Adds an answer to COPY FROM STDIN, because PGlite reads all of a statement's input at once and ends the session if it
 * lacks some. PostgreSQL ignores that answer after any other statement.
 */
export function failCopy(message) {
  const type = String.fromCharCode(message[0]);
  return type === "Q" || type === "E" ? Buffer.concat([message, NO_COPY]) : message;
}

/** Prepares a statement with parameters of the given types: Parse and Sync. */
export function serializeParse(name, statement, types) {
  const counted = Buffer.alloc(2 + 4 * types.length);
  counted.writeInt16BE(types.length, 0);
  types.forEach((type, at) => counted.writeUInt32BE(Number(type), 2 + 4 * at));
  return Buffer.concat([serialize("P", Buffer.concat([text(name), text(statement), counted])), endStatement]);
}

/** An error that ends the connection: ErrorResponse. */
export function serializeFatal(code, sentence) {
  const fields = { S: "FATAL", V: "FATAL", C: code, M: sentence };
  const parts = Object.entries(fields).map(([field, value]) => text(field + value));
  return serialize("E", Buffer.concat([...parts, Buffer.alloc(1)]));
}

function text(value) {
  return Buffer.from(`${value}\0`);
}

function serialize(type, body) {
  const head = Buffer.alloc(5);
  head.write(type, 0, "latin1");
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}

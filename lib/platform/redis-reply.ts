/**
 * Resolves with the reply of a command, or rejects if none comes before the deadline. A reply that comes after that is
 * passed to `onLate`.
 */
export function awaitReply(
  reply: Promise<unknown>,
  deadlineMs: number,
  onLate: (reply: unknown) => void,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let expired = false;
    let settled = false;
    const timer = setTimeout(() => {
      // After a pause of this process, replies may already wait in the socket: they are read first.
      setImmediate(() => {
        if (settled) return;
        expired = true;
        reject(new Error(`no answer within ${deadlineMs} ms`));
      });
    }, deadlineMs);
    reply.then(
      (value) => {
        settled = true;
        clearTimeout(timer);
        if (expired) onLate(value);
        else resolve(value);
      },
      (error: unknown) => {
        settled = true;
        clearTimeout(timer);
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}

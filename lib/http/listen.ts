import type { Server } from "node:http";
import type { Config } from "@/lib/platform/config";

/** The settings that name the address, for the messages of errors. */
export const NAMES = { port: "PORT", host: "SPOTLINE_HOST" };

/** Binds the port. Rejects with a sentence for the operator. */
export function listen(
  server: Server,
  { host, port }: Pick<Config, "host" | "port">,
  names: typeof NAMES,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) =>
      reject(new Error(explainListenError(error, host, port, names), { cause: error }));
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      resolve();
    });
  });
}

function explainListenError(
  { code, message }: NodeJS.ErrnoException,
  host: string,
  port: number,
  names: typeof NAMES,
): string {
  if (code === "EADDRINUSE")
    return `Port ${port} of ${host} is in use by another program. Stop it, or set ${names.port} to a free port.`;
  if (code === "EACCES")
    return `Port ${port} needs privileges that this user does not have. Set ${names.port} to one above 1023.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN")
    return `${names.host} is ${host}, which is not an address of this machine. Set it to 127.0.0.1, or to 0.0.0.0 for all its addresses.`;
  return `Port ${port} of ${host} cannot be opened: ${message}`;
}

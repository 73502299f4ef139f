/** Writes a call as a command of a shell. `key` is the secret, or a variable of the shell. */
export function writeCurl(url: string, key: string, body?: Readonly<Record<string, unknown>>, method?: string): string {
  const verb = method === undefined ? [] : [`-X ${method}`];
  const sent = body === undefined ? [] : [`-H "Content-Type: application/json"`, `-d '${JSON.stringify(body)}'`];
  return [`curl -H "X-API-Key: ${key}"`, ...verb, ...sent, `"${url}"`].join(" \\\n  ");
}

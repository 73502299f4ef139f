/** Other spellings of a path that some reader of URLs takes for the same: for tests of who answers them. */
export function spellPath(path: string): string[] {
  const first = path.split("/")[1] ?? "";
  const rest = path.slice(first.length + 1);
  const encode = (text: string) => Array.from(text, (c) => `%${c.charCodeAt(0).toString(16)}`).join("");
  const spellings = [
    `/x/..${path}`,
    `/x/%2e%2e${path}`,
    `/x/.%2E${path}`,
    `/x/%252e%252e${path}`,
    `/..${path}`,
    `/.${path}`,
    `/%2e${path}`,
    `/${path}`,
    `//${path}`,
    `\\${path.slice(1)}`.replace(/^/, "/"),
    `/x\\..${path.replaceAll("/", "\\")}`,
    `/x/..%5c${path.slice(1)}`,
    `/%2f${path.slice(1)}`,
    `/${encode(first)}${rest}`,
    `/${encode(first).replaceAll("%", "%25")}${rest}`,
    `/${encode(first).replaceAll("%", "%2525")}${rest}`,
    `/${encode(encode(first))}${rest}`,
    `/${first.slice(0, -1)}${encode(first.slice(-1))}${rest}`,
    `/${first}${rest.replaceAll("/", "%2f")}`,
    `/${first}${rest.replaceAll("/", "\\")}`,
    `/${first.toUpperCase()}${rest}`,
    `/${first}${rest}#x`,
    `/_next/..${path}`,
    `/sign-in/..${path}`,
  ];
  return spellings.filter((spelling) => spelling !== path);
}

/** Joins a source and one of its spellings to the id of a form. */
export function joinAliasId(source: string, spelling: string): string {
  return `${source}/${spelling}`;
}

/** Splits the id of a form. The spelling is null if it is in a field. Names of sources have no slash. */
export function splitAliasId(id: string): { readonly source: string; readonly spelling: string | null } {
  const at = id.indexOf("/");
  return at === -1 ? { source: id, spelling: null } : { source: id.slice(0, at), spelling: id.slice(at + 1) };
}

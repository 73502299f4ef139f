const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Whether a text can be an id. Other texts must find nothing instead of failing in the database. */
export function isId(text: string): boolean {
  return UUID.test(text);
}

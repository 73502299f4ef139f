/** Visitors of the demo have this id in place of an account’s. No account has it. */
export const DEMO_ID = "00000000-0000-0000-0000-000000000000";

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Whether a text can be an id. Other texts must find nothing instead of failing in the database. */
export function isId(text: string): boolean {
  return UUID.test(text);
}

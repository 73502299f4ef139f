export interface FormReader {
  /** The text of a field, cut to `maxLength`; "" if there is none. */
  text(name: string, maxLength?: number): string;
  /** All texts of a field that may occur several times. */
  texts(name: string): string[];
}

/** Reads a submitted form. `data` may be anything, because anyone can call an action. */
export function createFormReader(data: unknown): FormReader {
  const form = data instanceof FormData ? data : new FormData();
  const texts = (name: string) => form.getAll(name).filter((value) => typeof value === "string");
  return { texts, text: (name, maxLength) => (texts(name)[0] ?? "").slice(0, maxLength) };
}

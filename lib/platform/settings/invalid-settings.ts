/** Settings that cannot be used, with a line for each of them, such as "PORT: must be a whole number". */
export function createSettingsError(faults: readonly string[]): Error {
  return new Error(`The configuration is not valid:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
}

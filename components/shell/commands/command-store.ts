/** Which of the two dialogs of commands is open: one store for the keys, the buttons and the dialogs. */
export type CommandDialog = "palette" | "help" | null;

let shown: CommandDialog = null;
const listeners = new Set<() => void>();

export const getCommandDialog = (): CommandDialog => shown;

export function showCommandDialog(next: CommandDialog): void {
  shown = next;
  for (const listener of listeners) listener();
}

export function subscribeToCommands(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

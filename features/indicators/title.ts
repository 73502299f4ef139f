/** The readable name of an indicator with its parameters: its description up to the explanation after the colon. */
export function getTitle(description: string): string {
  return description.split(":")[0] as string;
}

import type { LucideIcon } from "lucide-react";

export interface Command {
  readonly id: string;
  readonly label: string;
  /** A word beside the label: the name of an instrument, or the keys of a page. */
  readonly note?: string | undefined;
  readonly Icon: LucideIcon;
  /** Where it leads, or what it does. */
  readonly href?: string;
  readonly run?: () => void;
  /** Other words that find it. */
  readonly words?: string;
}

export interface CommandGroup {
  readonly name: string;
  readonly commands: readonly Command[];
}

import type { Command, CommandGroup } from "@/components/shell/commands/command";

interface PaletteGroupsProps {
  id: string;
  groups: readonly CommandGroup[];
  activeId: string | undefined;
  onFollow: (command: Command) => void;
  /** The pointer is over a command. */
  onPoint: (command: Command) => void;
}

/** The list of the palette. The focus stays in its field, which names the active option. */
export function PaletteGroups({ id, groups, activeId, onFollow, onPoint }: PaletteGroupsProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Results"
      className={`max-h-[min(26rem,60dvh)] overflow-y-auto ${groups.length > 0 ? "p-1.5" : ""}`}
    >
      {groups.map(({ name, commands }) => (
        <div key={name} role="group" aria-labelledby={`${id}-${name}`}>
          <p id={`${id}-${name}`} className="px-2.5 pt-2 pb-1 text-2xs text-faint">
            {name}
          </p>
          {commands.map((command) => (
            <Option
              key={command.id}
              command={command}
              isActive={command.id === activeId}
              onFollow={onFollow}
              onPoint={onPoint}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface OptionProps extends Pick<PaletteGroupsProps, "onFollow" | "onPoint"> {
  command: Command;
  isActive: boolean;
}

function Option({ command, isActive, onFollow, onPoint }: OptionProps) {
  const { id, label, note, Icon } = command;
  return (
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      onClick={() => onFollow(command)}
      onPointerMove={() => {
        if (!isActive) onPoint(command);
      }}
      className="flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 text-dim aria-selected:bg-line aria-selected:text-ink aria-selected:shadow-[inset_2px_0_0_var(--accent)] max-md:h-11"
    >
      <Icon aria-hidden size={15} strokeWidth={1.75} className="flex-none text-faint" />
      <span className="flex-none text-ink">{label}</span>
      {note !== undefined && <span className="ml-auto min-w-0 truncate text-xs12 text-dim">{note}</span>}
    </div>
  );
}

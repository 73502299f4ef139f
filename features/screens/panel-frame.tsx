"use client";

import { Columns2, Copy, Ellipsis, FunctionSquare, Link2Off, Maximize2, Minimize2, Rows2, Trash2 } from "lucide-react";
import { Component, type ReactNode, useState } from "react";
import { PanelMessage } from "@/components/shared/panel";
import { Button } from "@/components/ui/button";
import { MenuButton } from "@/components/ui/menu-button";
import { PanelContent, type PanelViewer } from "@/features/screens/panel-content";
import { PanelControls } from "@/features/screens/panel-controls";
import { PANEL_NAMES } from "@/features/screens/panel-names";
import type { Links } from "@/features/screens/use-links";
import { LINK_COLOURS, type LinkColour, type Panel } from "@/lib/access/screens/screen";
import type { Side } from "@/lib/access/screens/tiling";

/** What can be done with a panel as a whole. */
export interface PanelSteps {
  readonly onColour: (id: string, colour: LinkColour | null) => void;
  readonly onSplit: (id: string, side: Side) => void;
  readonly onRemove: (id: string) => void;
  readonly onMaximise: (id: string) => void;
}

interface PanelFrameProps {
  panel: Panel;
  links: Links;
  steps: PanelSteps;
  viewer: PanelViewer;
  isMaximised: boolean;
  /** Whether panels have places: a phone shows one at a time. */
  hasPlace: boolean;
}

/** One panel: a line with what it shows, and its content. */
export function PanelFrame({ panel, links, steps, viewer, isMaximised, hasPlace }: PanelFrameProps) {
  const { id, kind, colour } = panel;
  const [isChoosing, setIsChoosing] = useState(false);
  const title = describePanel(panel);
  return (
    <div role="group" aria-label={title} data-panel className="flex h-full min-h-0 min-w-0 flex-col bg-bg">
      <div data-panel-head className="panel-head">
        <ColourMenu title={title} colour={colour} onChoose={(next) => steps.onColour(id, next)} />
        <PanelControls panel={panel} onChange={(change) => links.changePanel(panel, change)} />
        <PanelMenu
          title={title}
          items={[
            ...(kind === "chart"
              ? [{ Icon: FunctionSquare, text: "Indicators…", run: () => setIsChoosing(true) }]
              : []),
            ...(hasPlace
              ? [
                  {
                    Icon: isMaximised ? Minimize2 : Maximize2,
                    text: isMaximised ? "Back to its place" : "Fill the screen",
                    run: () => steps.onMaximise(id),
                  },
                  { Icon: Columns2, text: "Split right", run: () => steps.onSplit(id, "right") },
                  { Icon: Rows2, text: "Split down", run: () => steps.onSplit(id, "down") },
                ]
              : [{ Icon: Copy, text: "Duplicate", run: () => steps.onSplit(id, "down") }]),
            { Icon: Trash2, text: "Remove", run: () => steps.onRemove(id) },
          ]}
        />
      </div>
      <div
        data-panel-body
        className="panel-body"
        {...(kind === "chart" ? {} : { tabIndex: 0, role: "group", "aria-label": `${title}, content` })}
      >
        <Guarded title={title}>
          <PanelContent {...{ panel, links, viewer, isChoosing }} onChosen={() => setIsChoosing(false)} />
        </Guarded>
      </div>
    </div>
  );
}

/** Names a panel: "EURUSD M5", "Calendar". */
export function describePanel({ kind, settings }: Panel): string {
  if (kind === "chart") return `Chart of ${settings.symbol}, ${settings.timeframe}`;
  return kind === "spread" ? `Spread of ${settings.symbol}` : PANEL_NAMES[kind].name;
}

const LINK_TOKENS: Readonly<Record<LinkColour, string>> = {
  amber: "var(--accent)",
  blue: "var(--line-1)",
  green: "var(--line-3)",
  violet: "var(--line-7)",
  cyan: "var(--line-6)",
  rose: "var(--line-4)",
};

interface ColourMenuProps {
  title: string;
  colour: LinkColour | null;
  onChoose: (colour: LinkColour | null) => void;
}

/** The colour that links a panel with others. */
function ColourMenu({ title, colour, onChoose }: ColourMenuProps) {
  return (
    <MenuButton
      label={`Link of ${title}: ${colour ?? "none"}`}
      className="panel-tool"
      panelClassName="p-1.5"
      panel={(close) => (
        <div role="group" aria-label="Panels of one colour show the same symbol" className="grid w-44 gap-0.5">
          <p className="px-2 pt-0.5 pb-1 text-xs12 text-faint">Panels of one colour move together</p>
          {[null, ...LINK_COLOURS].map((each) => (
            <button
              key={each ?? "none"}
              type="button"
              aria-pressed={each === colour}
              onClick={() => {
                onChoose(each);
                close();
              }}
              className="flex h-8 items-center gap-2.5 rounded-sm px-2 text-left hover:bg-hover aria-pressed:bg-hover max-md:h-10"
            >
              {each === null ? (
                <Link2Off aria-hidden size={12} className="text-faint" />
              ) : (
                <span aria-hidden className="size-3 rounded-full" style={{ background: LINK_TOKENS[each] }} />
              )}
              <span className="capitalize">{each ?? "Not linked"}</span>
            </button>
          ))}
        </div>
      )}
    >
      <span
        aria-hidden
        className="size-2.5 rounded-full border-[1.5px] border-edge"
        style={colour === null ? undefined : { borderColor: LINK_TOKENS[colour], background: LINK_TOKENS[colour] }}
      />
    </MenuButton>
  );
}

interface PanelMenuProps {
  title: string;
  items: readonly { readonly Icon: typeof Trash2; readonly text: string; readonly run: () => void }[];
}

function PanelMenu({ title, items }: PanelMenuProps) {
  return (
    <MenuButton
      label={`Menu of ${title}`}
      className="panel-tool ml-auto"
      panelClassName="w-48 p-1.5"
      panel={(close) =>
        items.map(({ Icon, text, run }) => (
          <button
            key={text}
            type="button"
            onClick={() => {
              close();
              run();
            }}
            className="flex h-8 w-full items-center gap-2.5 rounded-sm px-2 text-left hover:bg-hover max-md:h-10"
          >
            <Icon aria-hidden size={14} className="text-faint" />
            {text}
          </button>
        ))
      }
    >
      <Ellipsis aria-hidden size={15} />
    </MenuButton>
  );
}

/** Keeps the other panels when one of them fails. */
class Guarded extends Component<{ title: string; children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidUpdate(before: { title: string }): void {
    // Another symbol may work.
    if (before.title !== this.props.title && this.state.hasFailed) this.setState({ hasFailed: false });
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <PanelMessage title="This panel has failed">
        The others go on.{" "}
        <Button size="sm" className="mt-2" onClick={() => this.setState({ hasFailed: false })}>
          Try again
        </Button>
      </PanelMessage>
    );
  }
}

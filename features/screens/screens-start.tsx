"use client";

import { Button, getButtonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { PANEL_NAMES } from "@/features/screens/panel-names";
import { READY_SCREENS } from "@/features/screens/ready-screens";
import { useNewScreen } from "@/features/screens/use-screen";
import { DEFAULT_LINKS, type ScreenContent } from "@/lib/access/screens/screen";
import { GRID } from "@/lib/access/screens/tiling";

/** The page of screens before the first one: those to begin with, each drawn. */
export function ScreensStart({ hasAccount }: { hasAccount: boolean }) {
  const createNew = useNewScreen();
  return (
    <div className="px-4 pt-2 pb-8 max-md:px-3">
      <p className="max-w-prose text-dim">
        A screen shows charts, quotes, the calendar and other panels side by side. Begin with one of these, and arrange
        it as you like.
      </p>
      <ul className="mt-5 grid grid-cols-[repeat(auto-fill,minmax(19rem,1fr))] gap-4">
        {READY_SCREENS.map(({ slug, name, text, content }) => (
          <li key={slug} className="grid grid-rows-[auto_1fr] overflow-hidden rounded-lg border border-line bg-panel">
            <Sketch content={content} />
            <div className="flex flex-col gap-1 border-t border-line p-3.5">
              <h2 className="font-semibold">{name}</h2>
              <p className="text-xs13 text-dim">{text}</p>
              <div className="mt-auto flex gap-2 pt-3">
                {hasAccount && (
                  <Button size="sm" look="primary" onClick={() => void createNew({ name, content })}>
                    Use {name}
                  </Button>
                )}
                <Link href={`/screens?ready=${slug}`} className={getButtonClass("secondary", "sm")}>
                  Look at it
                </Link>
              </div>
            </div>
          </li>
        ))}
      </ul>
      {hasAccount && (
        <Button
          className="mt-4"
          onClick={() => void createNew({ name: "New screen", content: { panels: [], links: DEFAULT_LINKS } })}
        >
          Begin with an empty screen
        </Button>
      )}
    </div>
  );
}

/** A screen in small: its panels with their icons. */
function Sketch({ content }: { content: ScreenContent }) {
  return (
    <div aria-hidden className="relative m-3.5 aspect-[16/9]">
      {content.panels.map(({ id, kind, x, y, w, h, colour }) => {
        const { Icon } = PANEL_NAMES[kind];
        return (
          <div
            key={id}
            className="absolute p-px"
            style={{
              left: `${(x / GRID.columns) * 100}%`,
              top: `${(y / GRID.rows) * 100}%`,
              width: `${(w / GRID.columns) * 100}%`,
              height: `${(h / GRID.rows) * 100}%`,
            }}
          >
            <div
              className={`grid h-full place-items-center rounded-sm bg-raised text-faint ${colour === null ? "" : "border-t-2 border-accent"}`}
            >
              {kind === "chart" ? <ChartSketch /> : <Icon size={16} strokeWidth={1.5} />}
            </div>
          </div>
        );
      })}
    </div>
  );
}

const BARS = [30, 42, 36, 55, 48, 62, 58, 74, 66];

function ChartSketch() {
  return (
    <svg viewBox="0 0 54 40" preserveAspectRatio="none" className="size-full p-1.5">
      {BARS.map((height, at) => (
        <rect
          key={at}
          x={at * 6 + 1}
          y={40 - height / 2.2}
          width="3"
          height={6 + (at % 3) * 4}
          className={at % 3 === 0 ? "fill-down" : "fill-up"}
          opacity="0.75"
        />
      ))}
    </svg>
  );
}

"use client";

import { useEffect, useRef, useState } from "react";
import type { PanelViewer } from "@/features/screens/panel-content";
import { describePanel, PanelFrame, type PanelSteps } from "@/features/screens/panel-frame";
import type { Links } from "@/features/screens/use-links";
import type { Panel } from "@/lib/access/screens/screen";

interface ScreenSwipeProps {
  panels: readonly Panel[];
  links: Links;
  steps: PanelSteps;
  viewer: PanelViewer;
  height: number;
}

const DOTS_HEIGHT = 28;

/** The panels on a phone: one at a time, with the next one a swipe away. Only the shown one and its neighbours have data. */
export function ScreenSwipe({ panels, links, steps, viewer, height }: ScreenSwipeProps) {
  const box = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(0);
  const at = Math.min(shown, panels.length - 1);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const follow = () => setShown(Math.round(element.scrollLeft / Math.max(1, element.clientWidth)));
    element.addEventListener("scroll", follow, { passive: true });
    return () => element.removeEventListener("scroll", follow);
  }, []);
  const show = (index: number) => box.current?.scrollTo({ left: index * box.current.clientWidth, behavior: "smooth" });
  return (
    <>
      <div ref={box} className="screen-swipe" style={{ height: height - DOTS_HEIGHT }}>
        {panels.map((panel, index) => (
          <div key={panel.id} data-panel-id={panel.id} inert={index !== at}>
            {Math.abs(index - at) <= 1 && (
              <PanelFrame {...{ panel, links, steps, viewer }} isMaximised={false} hasPlace={false} />
            )}
          </div>
        ))}
      </div>
      <div
        role="group"
        aria-label="Panels"
        className="flex items-center justify-center bg-bg"
        style={{ height: DOTS_HEIGHT }}
      >
        {panels.map((panel, index) => (
          <button
            key={panel.id}
            type="button"
            aria-label={describePanel(panel)}
            aria-current={index === at ? "true" : undefined}
            onClick={() => show(index)}
            className="grid h-7 w-6 place-items-center"
          >
            <span aria-hidden className={`size-2 rounded-full ${index === at ? "bg-accent" : "border border-edge"}`} />
          </button>
        ))}
      </div>
    </>
  );
}

"use client";

import { useSyncExternalStore } from "react";

const LIGHT = "(prefers-color-scheme: light)";

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  const query = matchMedia(LIGHT);
  query.addEventListener("change", listener);
  return () => {
    observer.disconnect();
    query.removeEventListener("change", listener);
  };
}

/** Returns a text that changes with the colours of the page. */
export function useThemeKey(): string {
  return useSyncExternalStore(
    subscribe,
    () => `${document.documentElement.dataset.theme ?? ""} ${matchMedia(LIGHT).matches}`,
    () => "",
  );
}

/** Returns a function that reads a token such as "--up" as a colour for a canvas: "rgb(…)". `within` is in the page. */
export function readColours(within: HTMLElement): (token: string) => string {
  const probe = document.createElement("span");
  probe.hidden = true;
  within.append(probe);
  return (token) => {
    probe.style.color = `var(${token})`;
    return getComputedStyle(probe).color;
  };
}

"use client";

import { useSyncExternalStore } from "react";

const LIGHT = "(prefers-color-scheme: light)";

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme", "data-palette"] });
  const query = matchMedia(LIGHT);
  query.addEventListener("change", listener);
  return () => {
    observer.disconnect();
    query.removeEventListener("change", listener);
  };
}

function readKey(): string {
  const { theme = "", palette = "" } = document.documentElement.dataset;
  return `${theme} ${palette} ${matchMedia(LIGHT).matches}`;
}

/** Returns a text that changes with the colours of the page. */
export function useThemeKey(): string {
  return useSyncExternalStore(subscribe, readKey, () => "");
}

/** Returns a function that reads a token such as "--up" as a colour for a canvas: "rgb(…)". `within` is in the page. */
export function readColours(within: HTMLElement): (token: string) => string {
  return (token) => {
    const probe = document.createElement("span");
    probe.hidden = true;
    probe.style.color = `var(${token})`;
    within.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
}

/** Reads the font of figures for a canvas. */
export function readFontFamily(): string {
  return getComputedStyle(document.documentElement).getPropertyValue("--font-geist-mono") || "monospace";
}

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

const HEADLESS_PACKAGE = "chromium-headless-shell";
const HEADLESS_PATH = "/usr/bin/chromium-headless-shell";
const SYSTEM_PATHS = [HEADLESS_PATH, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Finds the path of an installed browser: Playwright's, or else the system's; null if there is neither. */
export function findInstalledChromium(): string | null {
  return [chromium.executablePath(), ...SYSTEM_PATHS].find((path) => existsSync(path)) ?? null;
}

/** Finds a browser, or installs the system's package as root. Otherwise throws an error with instructions. */
export async function findChromium(): Promise<string> {
  const installed = findInstalledChromium();
  if (installed !== null) return installed;
  if (process.getuid?.() !== 0) {
    throw new Error("The journeys need a Chromium: npx playwright install chromium, or your system's package.");
  }
  console.log("No Chromium found: installing the system's package");
  execFileSync("apt-get", ["update", "-qq"], { stdio: "inherit" });
  try {
    execFileSync("apt-get", ["install", "-y", "-qq", HEADLESS_PACKAGE], { stdio: "inherit" });
  } catch {
    // Older releases have only the whole browser.
    execFileSync("apt-get", ["install", "-y", "-qq", "chromium"], { stdio: "inherit" });
  }
  return findInstalledChromium() ?? HEADLESS_PATH;
}

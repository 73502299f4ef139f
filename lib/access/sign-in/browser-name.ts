/**
 * The browser and system that a User-Agent header tells of, as "Firefox on Linux": enough for people to recognise
 * their own. Whoever sends the header writes it, so nothing may depend on it.
 */

/** In this order: nearly every browser also claims to be those further down. */
const browsers: readonly (readonly [name: string, sign: RegExp])[] = [
  ["Edge", /\bEdg(e|A|iOS)?\//],
  ["Opera", /\bOPR\/|\bOpera\b/],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(Chrome|CriOS|HeadlessChrome)\//],
  ["Safari", /\bSafari\//],
  ["curl", /^curl\//],
];

const systems: readonly (readonly [name: string, sign: RegExp])[] = [
  ["Windows", /\bWindows\b/],
  ["Android", /\bAndroid\b/],
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["macOS", /\bMac OS X\b|\bMacintosh\b/],
  ["Linux", /\bLinux\b|\bX11\b/],
];

export function browserName(userAgent: string | null): string {
  const told = (userAgent ?? "").slice(0, 1_000);
  const nameIn = (list: typeof browsers) => list.find(([, sign]) => sign.test(told))?.[0];
  const [browser, system] = [nameIn(browsers), nameIn(systems)];
  if (browser === undefined) return system === undefined ? "Unknown browser" : `Unknown browser on ${system}`;
  return system === undefined ? browser : `${browser} on ${system}`;
}

import { expect, test } from "vitest";
import { describeBrowser } from "@/lib/access/sign-in/browser-name";

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`, "Chrome on Windows"],
  [`Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, "Edge on Windows"],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/18.1 Safari/605.1.15`, "Safari on macOS"],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${WEBKIT} CriOS/140.0 Mobile Safari/604.1`,
    "Chrome on iPhone",
  ],
  [
    `Mozilla/5.0 (Linux; Android 15; SM-S921B) ${WEBKIT} SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`,
    "Samsung Internet on Android",
  ],
  ["curl/8.9.1", "curl"],
  ["Mozilla/5.0 (X11; Linux x86_64) NewEngine/1.0", "Unknown browser on Linux"],
  ["", "Unknown browser"],
  [null, "Unknown browser"],
])("The browser %s is recognised", (userAgent, name) => {
  expect(describeBrowser(userAgent)).toBe(name);
});

test("The browser name has no other text of the header", () => {
  expect(describeBrowser("<script>alert(1)</script> Firefox/1.0")).toBe("Firefox");
});

import { expect, test } from "vitest";
import { findPasskeySite } from "@/features/session/passkey-site";

test("The configured address decides where passkeys are valid, whatever host a request names", () => {
  const site = { host: "prices.example.com", origin: "https://prices.example.com:8443" };
  expect(findPasskeySite("https://prices.example.com:8443/", "127.0.0.1:3000")).toEqual(site);
  expect(findPasskeySite("https://prices.example.com:8443", "evil.example")).toEqual(site);
});

test.each(["localhost:3000", "spotline.localhost:3000"])("Without one, passkeys are valid at %s", (host) => {
  expect(findPasskeySite(null, host)).toEqual({ host: host.replace(":3000", ""), origin: `http://${host}` });
});

test.each([null, "", "127.0.0.1:3000", "[::1]:3000", "evil.example", "localhost.evil.example", "a b"])(
  "No passkey is valid at the host %s",
  (host) => {
    expect(findPasskeySite(undefined, host)).toBeNull();
  },
);

test.each(["http://prices.example.com", "https://10.1.2.3", "https://[fd00::1]:8443"])(
  "No passkey is valid at the address %s, where browsers allow none",
  (url) => {
    expect(findPasskeySite(url, "localhost:3000")).toBeNull();
  },
);

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { loadConfig, LOCAL_CONTACT, SETTING_NAMES } from "@/lib/platform/config";
import { adviseOnProxies } from "@/lib/platform/settings/proxy-settings";
import { listSourceSecrets } from "@/lib/platform/settings/settings";

describe("the configuration", () => {
  test("has a default for everything, and treats a blank line of .env as not set", () => {
    expect(loadConfig({})).toEqual(loadConfig({ PORT: "", DATABASE_URL: "" }));
    expect(loadConfig({})).toMatchObject({
      port: 3000,
      host: "127.0.0.1",
      trustedProxies: { count: 0, addresses: null },
      // On the internet, anyone could otherwise become a member.
      signUp: "invitation",
      feeds: null,
    });
  });

  test("names every invalid variable, and why", () => {
    const load = () =>
      loadConfig({ PORT: "70000", SPOTLINE_SIGN_UP: "x", DATABASE_URL: "mysql://a", NEXTAUTH_SECRET: "short" });
    for (const name of ["PORT", "SPOTLINE_SIGN_UP", "DATABASE_URL", "NEXTAUTH_SECRET"])
      expect(load).toThrow(new RegExp(`\n  ${name}: \\S`));
  });

  test("reads lists and zones", () => {
    const config = loadConfig({ SPOTLINE_SOURCE_PRIORITY: "a, b,", SPOTLINE_REPLAY_ZONES: "fxcm=Etc/GMT+5,oanda=UTC" });
    expect(config.sourcePriority).toEqual(["a", "b"]);
    expect(config.replay.zones).toEqual({ fxcm: "Etc/GMT+5", oanda: "UTC" });
    expect(() => loadConfig({ SPOTLINE_REPLAY_ZONES: "fxcm" })).toThrow(/SPOTLINE_REPLAY_ZONES/);
  });

  test("the symbol of the first page is one of the catalogue, or none", () => {
    const read = (text?: string) => loadConfig({ SPOTLINE_LANDING_SYMBOL: text }).landingSymbol;
    expect([read(), read("none"), read("XAUUSD")]).toEqual([null, "none", "XAUUSD"]);
    expect(() => read("xauusd")).toThrow(/SPOTLINE_LANDING_SYMBOL: must be none or a symbol/);
  });

  test("takes the address of the site from next-auth's name too, unless it is the one of every start", () => {
    const read = (env: Record<string, string>) => [loadConfig(env).url, loadConfig(env).publicUrl];
    expect(read({ NEXTAUTH_URL: "http://prices.lan:3000" })).toEqual([
      "http://prices.lan:3000",
      "http://prices.lan:3000",
    ]);
    expect(read({ NEXTAUTH_URL: "https://a.example/api/auth", SPOTLINE_URL: "https://b.example" })[0]).toBe(
      "https://b.example",
    );
    expect(read({ NEXTAUTH_URL: "http://localhost:3000" })).toEqual([null, "http://localhost:3000"]);
    expect(read({ NEXTAUTH_URL: "http://localhost:4000", PORT: "4000" })[0]).toBeNull();
  });

  test("gives push services a contact at which somebody can be reached, if it knows one", () => {
    const read = (env: Record<string, string>) => loadConfig(env).pushContact;
    const mail = { SPOTLINE_SMTP_URL: "smtps://mail.example.com", SPOTLINE_MAIL_FROM: "Desk <desk@example.com>" };
    expect(read({})).toBe(LOCAL_CONTACT);
    expect(read({ SPOTLINE_URL: "https://prices.example" })).toBe("https://prices.example");
    expect(read({ ...mail, SPOTLINE_URL: "http://prices.lan" })).toBe("mailto:desk@example.com");
    expect(read({ ...mail, SPOTLINE_PUSH_CONTACT: "mailto:me@example.com" })).toBe("mailto:me@example.com");
    expect(() => read({ SPOTLINE_PUSH_CONTACT: "me@example.com" })).toThrow(
      /SPOTLINE_PUSH_CONTACT: must be like mailto:/,
    );
  });

  test("requires an SMTP address and a sender together", () => {
    const SPOTLINE_SMTP_URL = "smtps://desk:secret@mail.example.com";
    expect(loadConfig({}).mail).toBeNull();
    expect(loadConfig({ SPOTLINE_SMTP_URL, SPOTLINE_MAIL_FROM: "Spotline <prices@example.com>" }).mail).toEqual({
      smtpUrl: SPOTLINE_SMTP_URL,
      from: "Spotline <prices@example.com>",
    });
    expect(() => loadConfig({ SPOTLINE_SMTP_URL })).toThrow(/SPOTLINE_MAIL_FROM: needed/);
    expect(() => loadConfig({ SPOTLINE_SMTP_URL: "http://mail", SPOTLINE_MAIL_FROM: "x" })).toThrow(
      /SPOTLINE_SMTP_URL[^]*SPOTLINE_MAIL_FROM/,
    );
  });

  test("shares limits only with a Redis address", () => {
    expect(loadConfig({}).redis).toBeNull();
    expect(loadConfig({ REDIS_URL: "redis://a:1" }).redis).toEqual({ url: "redis://a:1", deadlineMs: 100 });
    expect(() => loadConfig({ DATABASE_READ_URL: "postgres://a" })).toThrow(
      /DATABASE_URL: needed with DATABASE_READ_URL/,
    );
    expect(() => loadConfig({ REDIS_URL: "http://a", SPOTLINE_REDIS_TIMEOUT_MS: "0" })).toThrow(
      /REDIS_URL: must be like redis:[\s\S]*SPOTLINE_REDIS_TIMEOUT_MS: /,
    );
  });

  test("reads the addresses of proxies, and refuses what is not one", () => {
    const read = (text: string) => loadConfig({ SPOTLINE_TRUSTED_PROXY_ADDRESSES: text }).trustedProxies.addresses;
    expect(read("10.0.0.0/8, 192.0.2.7 2001:db8::/32")?.rules).toHaveLength(3);
    for (const wrong of ["proxy", "10.0.0.0/33", "010.0.0.1", "10.0.0.0/8/8", "10.0.0.0/-1"]) {
      expect(() => read(wrong), wrong).toThrow(/SPOTLINE_TRUSTED_PROXY_ADDRESSES: must be addresses/);
    }
  });

  test("warns of trusted networks that have other machines than proxies", () => {
    const advise = (text: string) =>
      adviseOnProxies(loadConfig({ SPOTLINE_TRUSTED_PROXY_ADDRESSES: text }).trustedProxies, { host: "127.0.0.1" });
    expect(advise("10.0.0.7, 172.30.86.0/24, 2001:db8::7, ::ffff:10.0.0.0/120")).toBeNull();
    expect(advise("10.0.0.7,10.0.0.0/8")).toContain("trusts all of 10.0.0.0/8:");
    expect(advise("172.30.0.0/23 2001:db8::/64")).toMatch(/(172\.30\.0\.0\/23|2001:db8::\/64), (172|2001)/);
    expect(advise("0.0.0.0/0")).toContain("0.0.0.0/0");
  });

  test("requires a folder when recordings are to be played", () => {
    expect(() => loadConfig({ SPOTLINE_FEED: "simulated,replay" })).toThrow(/SPOTLINE_REPLAY_DIR/);
  });

  test.each([
    [{ SPOTLINE_FED: "replay" }, "SPOTLINE_FED: is not a setting; did you mean SPOTLINE_FEED?"],
    [
      { SPOTLINE_KEEP_TICK_DAYS: "9" },
      "SPOTLINE_KEEP_TICK_DAYS: is not a setting; did you mean SPOTLINE_KEEP_TICKS_DAYS?",
    ],
    [{ SPOTLINE_DATADIR: "" }, "SPOTLINE_DATADIR: is not a setting; did you mean SPOTLINE_DATA_DIR?"],
    [{ SPOTLINE_PORT: "80" }, "SPOTLINE_PORT: is not a setting; did you mean PORT?"],
    [{ SPOTLINE_EVERYTHING: "1" }, "SPOTLINE_EVERYTHING: is not a setting; remove it"],
    [{ SPOTLINE_ROLES: "," }, "SPOTLINE_ROLES: must name at least one of writer, api and pages"],
    [
      { SPOTLINE_ROLES: "api", REDIS_URL: "redis://127.0.0.1" },
      "DATABASE_URL: needed when SPOTLINE_ROLES leaves out writer",
    ],
    [{ SPOTLINE_API_PROCESSES: "0" }, "SPOTLINE_API_PROCESSES: must be auto, or a whole number from 1 to 99"],
    [{ SPOTLINE_ROLES: "writer,apis" }, "SPOTLINE_ROLES: must be writer, api or pages; did you mean api?"],
    [{ SPOTLINE_SIGN_UP: "never" }, "SPOTLINE_SIGN_UP: must be open, invitation or closed"],
    [{ SPOTLINE_URL: "spotline.example.com" }, "SPOTLINE_URL: must be like https://spotline.example.com"],
    [{ SPOTLINE_SMTP_URL: "mail:25" }, "SPOTLINE_SMTP_URL: must be like smtp://user:password@mail.example.com:587"],
    [
      { NEXTAUTH_SECRET: "short" },
      "NEXTAUTH_SECRET: must have at least 32 characters; `openssl rand -hex 32` prints some",
    ],
    [{ PORT: "70000" }, "PORT: must be a whole number from 0 to 65535"],
    [{ PORT: "1.5" }, "PORT: must be a whole number from 0 to 65535"],
    [{ SPOTLINE_REPLAY_SPEED: "fast" }, "SPOTLINE_REPLAY_SPEED: must be a number from 0.01 to 100000"],
    [{ SPOTLINE_REPLAY_FROM: "yesterday" }, "SPOTLINE_REPLAY_FROM: must be like 2014-05-02T12:00:00Z"],
  ])("says of %j what to change", (env, sentence) => {
    expect(() => loadConfig(env)).toThrow(new Error(`The configuration is not valid:\n  ${sentence}`));
  });

  test("ignores what Kubernetes sets for a service called spotline", () => {
    const env = {
      SPOTLINE_PORT: "tcp://10.0.0.1:3000",
      SPOTLINE_SERVICE_HOST: "10.0.0.1",
      SPOTLINE_SERVICE_PORT: "3000",
      SPOTLINE_SERVICE_PORT_HTTP: "3000",
      SPOTLINE_PORT_3000_TCP_ADDR: "10.0.0.1",
    };
    expect(loadConfig(env)).toEqual(loadConfig({}));
  });

  test("has every setting in .env.example, and no other but secrets of sources", () => {
    const text = readFileSync(".env.example", "utf8");
    const listed = Array.from(text.matchAll(/^#([A-Z0-9_]+)=/gm), ([, name = ""]) => name);
    const secrets = listSourceSecrets(Object.fromEntries(listed.map((name) => [name, ""])), SETTING_NAMES);
    expect(listed.filter((name) => !secrets.includes(name)).sort()).toEqual(
      SETTING_NAMES.filter((name) => name !== "NODE_ENV").sort(),
    );
  });
});

import { describe, expect, test } from "vitest";
import { loadConfig } from "@/lib/platform/config";

describe("the configuration", () => {
  test("has a default for everything, and treats a blank line of .env as not set", () => {
    expect(loadConfig({})).toEqual(loadConfig({ PORT: "", DATABASE_URL: "" }));
    expect(loadConfig({})).toMatchObject({ port: 3000, host: "127.0.0.1", trustedProxies: 0, feed: "simulated" });
  });

  test("names every invalid variable, and why", () => {
    const load = () =>
      loadConfig({ PORT: "70000", SPOTLINE_FEED: "x", DATABASE_URL: "mysql://a", NEXTAUTH_SECRET: "short" });
    for (const name of ["PORT", "SPOTLINE_FEED", "DATABASE_URL", "NEXTAUTH_SECRET"])
      expect(load).toThrow(new RegExp(`\n  ${name}: \\S`));
  });

  test("reads lists and zones", () => {
    const config = loadConfig({ SPOTLINE_SOURCE_PRIORITY: "a, b,", SPOTLINE_REPLAY_ZONES: "fxcm=Etc/GMT+5,oanda=UTC" });
    expect(config.sourcePriority).toEqual(["a", "b"]);
    expect(config.replay.zones).toEqual({ fxcm: "Etc/GMT+5", oanda: "UTC" });
    expect(() => loadConfig({ SPOTLINE_REPLAY_ZONES: "fxcm" })).toThrow(/SPOTLINE_REPLAY_ZONES/);
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
    expect(() => loadConfig({ REDIS_URL: "http://a", SPOTLINE_REDIS_TIMEOUT_MS: "0" })).toThrow(
      /REDIS_URL: must start[\s\S]*SPOTLINE_REDIS_TIMEOUT_MS: /,
    );
  });

  test("requires a folder when recordings are to be played", () => {
    expect(() => loadConfig({ SPOTLINE_FEED: "replay" })).toThrow(/SPOTLINE_REPLAY_DIR/);
  });
});

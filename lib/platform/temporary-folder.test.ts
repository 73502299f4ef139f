import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ownIdentity } from "./data-folder";
import { createTemporaryFolder } from "./temporary-folder";

describe("a temporary folder", () => {
  let parent: string;
  beforeEach(() => {
    parent = mkdtempSync(path.join(os.tmpdir(), "spotline-temporary-"));
  });
  afterEach(() => rmSync(parent, { recursive: true, force: true }));

  const leave = (name: string, owner: object) => {
    mkdirSync(path.join(parent, name));
    writeFileSync(path.join(parent, name, "owner.json"), JSON.stringify(owner));
  };

  test("is for its owner only", () => {
    expect(statSync(createTemporaryFolder("pages-", parent)).mode & 0o777).toBe(0o700);
  });

  test("of a process that was killed is removed at the next start, and no other one", () => {
    leave("pages-killed", { ...ownIdentity(), pid: 2 ** 22 + 1 });
    leave("pages-running", ownIdentity());
    leave("pages-container", { ...ownIdentity(), pid: 2 ** 22 + 1, namespace: "another container" });
    leave("other-killed", { ...ownIdentity(), pid: 2 ** 22 + 1 });
    mkdirSync(path.join(parent, "pages-unknown"));
    const created = path.basename(createTemporaryFolder("pages-", parent));
    const expected = ["pages-running", "pages-container", "other-killed", "pages-unknown", created];
    expect(readdirSync(parent).sort()).toEqual(expected.sort());
  });
});

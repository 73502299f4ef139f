import { mkdtempSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  getUploadFolder,
  hasRoom,
  listUploads,
  readReceived,
  removeUpload,
  writePiece,
} from "@/lib/history/import/import-uploads";
import { cleanPath } from "@/lib/history/import/upload-path";

const ID = "0f1e2d3c-4b5a-4678-8123-456789abcdef";

describe("names of uploaded files", () => {
  test.each([
    ["EURUSD/2024/00/31/23h_ticks.bi5", "EURUSD/2024/00/31/23h_ticks.bi5"],
    ["folder\\file.csv", "folder/file.csv"],
    ["/etc/passwd", "etc/passwd"],
    ["C:\\data\\x.csv", "C_/data/x.csv"],
    ["./a//b.csv", "a/b.csv"],
    ['a<b>:"|?*\u0000\n.csv', "a_b________.csv"],
    ["kurse Mär\u0308z.csv", "kurse Mär\u0308z.csv".normalize("NFC")],
    ["folder./name. ", "folder_/name_"],
  ])("%j becomes %j", (given, path) => expect(cleanPath(given)).toBe(path));

  test.each(["", "/", "..", "../x.csv", "a/../../x.csv", "a\\..\\x.csv", ".env", "a/.ssh/x", ". ./x", "ä".repeat(150)])(
    "%j is refused",
    (given) => expect(cleanPath(given)).toBeNull(),
  );

  test("no name leads out of its folder", () => {
    for (const part of ["..", ".", "", " ..", ".. ", "..\u200b", "%2e%2e"]) {
      const path = cleanPath(`a/${part}/${part}/${part}/x`);
      if (path !== null) expect(join("/data/run", path)).toMatch(/^\/data\/run\//);
    }
    expect(() => getUploadFolder("/data", "../x")).toThrow("UUID");
  });
});

describe("uploaded files", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "spotline-uploads-"));
  const file = { path: "EURUSD/a.csv", bytes: 10, modifiedMs: 0 };
  const send = (offset: number, text: string) => writePiece(dataDir, ID, file, { offset, content: Buffer.from(text) });

  test("grow by the piece that begins where they end; any other only tells how much there is", async () => {
    expect(await send(4, "x")).toBe(0);
    expect(await send(0, "0123")).toBe(4);
    expect(await send(0, "wrong")).toBe(4);
    expect(await send(6, "x")).toBe(4);
    await expect(send(4, "4567890")).rejects.toThrow("longer");
    expect(await Promise.all([send(4, "456"), send(4, "xxx"), send(7, "789")])).toEqual([7, 7, 10]);
    const path = join(getUploadFolder(dataDir, ID), file.path);
    expect(readFileSync(path, "utf8")).toBe("0123456789");
    expect(await readReceived(dataDir, ID, [file, { ...file, path: "missing" }])).toEqual([10, 0]);
    if (process.platform !== "win32") expect(statSync(path).mode & 0o077).toBe(0);
  });

  test("may be empty, and are removed with their folder", async () => {
    const empty = { path: "empty.bi5", bytes: 0, modifiedMs: 0 };
    expect(await writePiece(dataDir, ID, empty, { offset: 0, content: new Uint8Array() })).toBe(0);
    expect(statSync(join(getUploadFolder(dataDir, ID), "empty.bi5")).size).toBe(0);
    expect([...(await listUploads(dataDir))]).toEqual([ID]);
    await removeUpload(dataDir, ID);
    expect([...(await listUploads(dataDir))]).toEqual([]);
    expect([...(await listUploads(join(dataDir, "none")))]).toEqual([]);
  });

  test("need room on the disk", async () => {
    expect(await hasRoom(dataDir, 1)).toBe(true);
    expect(await hasRoom(dataDir, 2 ** 60)).toBe(false);
  });
});

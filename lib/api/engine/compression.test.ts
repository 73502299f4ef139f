import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { compress } from "@/lib/api/engine/compression";

const DECOMPRESS = { br: brotliDecompressSync, gzip: gunzipSync };

describe.each(["br", "gzip"] as const)("A body in %s", (coding) => {
  test.each([2_000, 200_000])("of %i characters is the same after decompression, and shorter", async (length) => {
    const text = '{"time":"2026-11-20T13:00:00+00:00","price":1.1459},'.repeat(length / 50);
    for (const body of [text, Buffer.from(text)]) {
      const bytes = await compress(body, coding);
      expect(DECOMPRESS[coding](bytes).toString()).toBe(text);
      expect(bytes.length).toBeLessThan(text.length / 4);
    }
  });

  test("is compressed once for the same bytes", async () => {
    for (const body of [Buffer.alloc(2_000, "a"), Buffer.alloc(100_000, "a")]) {
      const bytes = await compress(body, coding);
      expect(compress(body, coding)).toBe(bytes);
    }
  });
});

import { describe, expect, test } from "vitest";
import { unpackZstd } from "@/lib/feeds/files/zstd";

const TEXT =
  "The same price, the same price, a higher price; the same price, aaaaaaaaaaaaaaaaaaaaaaaaaaaa, the same price.";
const NUMBERS = Array.from({ length: 1_500 }, (_, i) => `${(i * i) % 977},`).join("");

/** Packed by the zstd program. */
const samples: readonly (readonly [string, string, string])[] = [
  ["has repetitions", "KLUv/QRoVQEA2FRoZSBzYW1lIHByaWNlLCB0YSBoaWdoZXI7LgUAUUDADWEof8HATzeXW78qcQ==", TEXT],
  [
    "has no checksum",
    "KLUv/QBI9QIAdAVUaGUgc2FtZSBwcmljZSwgdGhlIHNhbWUgcHJpY2UsIGEgaGlnaGVyIHByaWNlOyB0aGUgc2FtZSBwcmljZSwgYWFhYWFhLC" +
      "B0aGUgc2FtZSBwcmljZS4BAIYCog==",
    TEXT,
  ],
  ["is one byte, repeated", "KLUv/QRYTQAAEGFhAQCD0wMs1jyA1A==", "a".repeat(5_000)],
  [
    "has all codes of its own, and literals in four streams",
    "KLUv/QRofTIAuuHEFwmw6xRNLMLJcB53AXkBegHPPESfLVBzYqhagBM7y+36jXy1R2aru6TNNtZycaUXyEN2OfMimiSWq6vcxCbOE9NoatzpMz" +
      "LwDtLDuKBLyHc2BC2MKTpFNt43NBtPe8AMskkd5WI2kD6K2w6cqT6rTeSq+6KecoO7RRu5lS1CA/Aau0HDxRz7graLi+wTesjN7Ja24ia3SA0i" +
      "Hy90iJkivusG9AU/uId1jAy1UQ+bCzjEfVJDZYGYwibRcZwyqffmGQ69g306H7nUTXaxuYZHTNSHNB23Gmj36Kpcihs3oZ/NVn71iT1Sh8wgPO" +
      "QIu6IWzhQus4htU1PNY5wgJrhBeokukxscaJZ9V5vQV5nkreNsmB5Hz8x3vCimWMiu6GG0zdyQzeKoJW64flUD0SKzhUzA52bdRDZQ79Q1dGcG" +
      "kok4K45+dLN2rQ90YT1Dt2aefCHb8GvMiDtH3QB3jD3Wj71aE+sqfaTH5pgZYI6Sh/IZL+JEXhdfxTNxMAaIw5765pKJV3zPMQQGcpFcMBvNDN" +
      "qKLtZltU1n2Fa75j45IiaLo/iJfDEH0GR0tD7qN3bMbfRQTOIkeWg2oqdqttPsxiFxh1PJZHOhDukl2zaJoXxghqGttYUNdZexlAfnKC3srV30" +
      "BJ/KJTRAr7JLl/xOltI3vbxBYoZcN9NqqC02lV/NVLWUXbYZ5812dcF9EgfJVHRYJ+fwqdmsnripYjq5rKNsYGwk29EwdiEWkgPqILsYg8kl9Z" +
      "zdxiezQL+6oTgITbDvpspCtchtwknawL6ID+aAbvGEzKgZd4XH0B3bGpvNAHYlFpqjfSIumaH6QVyZW52Mi2ZeF4rlZhKbwG3oOvuKB2vqPSQz" +
      "Ot2lOWhDcCttc8vIjV4Rz81T+8qlanaoGcim4ke19epctQNkgj4Sc2jSXZMDbBhuVAfEQrpz18lDu+UHvSom1FIL0DQ3Yzayj/K1D3GDXotpam" +
      "MMR7fL0CMP0NVbOt/cQDPITTJf3Ma54j7OwdtkHrmJZqIbbO4SFPcZ54ubZAa5geabWzpX7wF6ZBm6HY42xjR1LTboQ/zaj7KRzZhpbgFaakJd" +
      "FR/0lg/tOrlzC+mA2KiG4QF2TSbdHHokJugBctWuztaPaioOZEPN7FL1lU/tubkibnQZ2ea20hA8aJdmuhl9SKbewfqK19k2NIGT2HKzUMzrRT" +
      "MZt3plPoihesk8EUe70FyJAWyz2Rp37Bi6whk3o56QLQ7oB/NFbGCTtAkXuYVqqnw3wQahofjVLdBP5jaes0tqMLkYB9kBtZBciGFsO9pIBsZR" +
      "dlnTyVTxxNXM4eRhJfkkLrjtynjZUjZVlYsNtWkVMkhc3jc9ueSlq0zoqTzBi25tYY/SwVnKyxjqtrCtNQyVm8R2yaAmm6nkDmOazfapopkkk/" +
      "hQbHTMfWMf9WgBfTGfyFGM+OSa22rTy+pibUU0F8xFsoEEr8Ylsd2sjUsproQ2gVWo04j0k07ThbpUp/azTmALbRmbyj6zKW6ZW3obZ213SVyN" +
      "LTiLB8fzXTHxkm+eOmyAOBjPxFdxXUzkRfyMD+UoGWCOmcfmI12l+tjHeowNcEfdnRnxNbbhFzJPbs0ztLAe6LXO2kd3dFZMxIHkzlxDd2qgTm" +
      "Sz7rkJuIUsMgPRVzVcl7ijNosbss0cRld0IZvioviOz8xxZLcm+VU2oe9qlg10g5fJJRqkE9wE8Rinmm1qEVs4V9QRdsg8Up/YV1v52UzojbsU" +
      "V+UeDbStpuNDmqhHXMPFZrJL3Uc+nYMdes/w3kzqlOM4iaawBWKofFJD3AU8bDbqUMfIw/rgvuAG9F2niCHmQj8OIovUJrcVb2kze8hP6CLbLr" +
      "6gOTZc3KBrbAAuQlvZRt6iDe4pv6irbhP5rKYaOLf9KAbSYnaUm9QgB8zTzsY3tPGmyBRdGEPQd7aEXNCHcZAG3jNyp1NjGj0xcTaxq1yuJomL" +
      "aF7OQ3aBXOlysbE2u6St7pH5at/Idp3lxC7AoWpOLFCfPUTPLEF3sJnoJppHbpM5GB4IEBAB7P3//9+U+tGGRd6IoVJ0Eu4cIOQ70T1YOqDvLG" +
      "0rvqOi8lF8+YRvmlBWCb8KCfhAJOurDK+fzn2elnKyX8BSsqbETLtjznCvYF+5T1U3g9deYgeXCoAQpi0=",
    NUMBERS,
  ],
  ["is empty", "KLUv/SQAAQAAmenYUQ==", ""],
];
/** A frame that readers pass over. */
const SKIPPED = Uint8Array.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);

describe("unpackZstd", () => {
  test.each(samples)("unpacks data that %s", (_, base64, text) => {
    const unpacked = unpackZstd(Buffer.from(base64, "base64"), text.length);
    expect(Buffer.from(unpacked).toString("latin1")).toBe(text);
  });

  test("unpacks several frames, and passes over others", () => {
    const frames = samples.flatMap(([, base64]) => [Buffer.from(base64, "base64"), SKIPPED]);
    const whole = samples.map(([, , text]) => text).join("");
    expect(Buffer.from(unpackZstd(Buffer.concat(frames), whole.length)).toString("latin1")).toBe(whole);
  });

  test("refuses truncated data, and gives no more bytes than there are", () => {
    for (const [, base64, text] of samples) {
      const whole = Buffer.from(base64, "base64");
      for (let length = 1; length < whole.length; length += whole.length - length > 20 ? 13 : 1) {
        expect(() => unpackZstd(whole.subarray(0, length), text.length)).toThrow();
      }
      expect(unpackZstd(whole, text.length + 1)).toHaveLength(text.length);
      if (text !== "") expect(() => unpackZstd(whole, text.length - 1)).toThrow();
    }
  });

  const raw = (...bytes: number[]) => Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, ...bytes);

  test.each([
    ["of another format", Buffer.from("no archive at all")],
    ["with a dictionary", raw(0x21, 1, 3, 0x09, 0, 0, 97)],
    ["with a block of no type", raw(0x20, 1, 0x0f, 0, 0, 97)],
    ["with literals that have no code", raw(0x20, 3, 0x1d, 0, 0, 0x03, 0, 0)],
    ["with a window of a terabyte", raw(0x00, 0xf8, 0x09, 0, 0, 97)],
    ["that says to have four gigabytes", raw(0xa0, 0xff, 0xff, 0xff, 0xff, 0x09, 0, 0, 97)],
    ["with more bytes than it says", raw(0x20, 1, 0x12, 0, 0x10, 97, 0x0b, 0, 0x10, 97)],
  ])("refuses data %s", (_, packed) => {
    expect(() => unpackZstd(packed, 17)).toThrow();
  });

  test("reads stored and repeated bytes", () => {
    const text = (packed: Uint8Array) => Buffer.from(unpackZstd(packed, 17)).toString("latin1");
    expect(text(raw(0x20, 5, 0x10, 0, 0, 97, 98, 0x1b, 0, 0, 99))).toBe("abccc");
  });
});

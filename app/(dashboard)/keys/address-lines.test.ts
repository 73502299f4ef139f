import { describe, expect, it } from "vitest";
import { readAddressLines } from "@/app/(dashboard)/keys/address-lines";

describe("readAddressLines", () => {
  it("skips blank lines and trims the others", () => {
    expect(readAddressLines("\n 192.0.2.1 \r\n\r\n10.0.0.0/8\n")).toEqual({
      addresses: ["192.0.2.1", "10.0.0.0/8"],
      problems: [],
    });
  });

  it("numbers a problem as the editor does, blank lines included", () => {
    const { problems } = readAddressLines("192.0.2.1\n\n\nexample.com");
    expect(problems).toMatchObject([{ line: 4, text: "example.com" }]);
  });
});

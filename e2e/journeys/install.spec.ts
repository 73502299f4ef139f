import { expect, test } from "@/e2e/journeys/fixtures";

interface Manifest {
  readonly icons: readonly { readonly src: string; readonly sizes: string; readonly type: string }[];
}

test("The manifest names PNG icons of the sizes that they have", async ({ trader }) => {
  await trader.goto("/overview");
  const manifest = (await (await trader.request.get("/manifest.webmanifest")).json()) as Manifest;
  const pictures = manifest.icons.filter(({ type }) => type === "image/png");
  expect(pictures.map(({ sizes }) => sizes)).toEqual(["192x192", "512x512", "512x512"]);
  for (const { src, sizes } of pictures) {
    const header = await (await trader.request.get(src)).body();
    expect(header.subarray(1, 4).toString(), src).toBe("PNG");
    // Width and height of the first chunk.
    expect(`${header.readUInt32BE(16)}x${header.readUInt32BE(20)}`, src).toBe(sizes);
  }
});

import { expect, test } from "vitest";
import { decodePush, tickPush } from "@/lib/feeds/mt5/tick-push";

const batch = { boot_id: "a1", seq: 1, sent_gmt: 1_700_000_000, ticks: [] as unknown[] };

test("Numbers may be text, seconds become milliseconds, and a price that is no number is left to the intake.", () => {
  const ticks = [
    { s: "EURUSDm", b: "1.08521", a: 1.08523, t: "1700010800123" },
    { s: "XAUUSD-", b: "", a: "none", t: 1_700_010_800_124 },
  ];
  const push = tickPush.parse({ ...batch, ticks });
  expect(push.sent_gmt).toBe(1_700_000_000_000);
  expect(push.ticks).toEqual([
    { s: "EURUSDm", b: 1.08521, a: 1.08523, t: 1_700_010_800_123 },
    { s: "XAUUSD-", b: NaN, a: NaN, t: 1_700_010_800_124 },
  ]);
});

test.each([
  ["no run", { ...batch, boot_id: "" }],
  ["a sequence of zero", { ...batch, seq: 0 }],
  ["a sequence beyond whole numbers", { ...batch, seq: 2 ** 60 }],
  ["no time", { ...batch, sent_gmt: "soon" }],
  ["too many ticks", { ...batch, ticks: Array(5_001).fill({ s: "EURUSD", b: 1, a: 1, t: 1 }) }],
  ["a symbol without a name", { ...batch, ticks: [{ s: "", b: 1, a: 1, t: 1 }] }],
])("A batch with %s is refused.", (_, body) => expect(tickPush.safeParse(body).success).toBe(false));

test("A name in the code page of Windows is read, and so is one in UTF-8.", () => {
  expect(decodePush(Buffer.from([0x47, 0x42, 0x50, 0x2e, 0xa3]))).toBe("GBP.£");
  expect(decodePush(Buffer.from("GBP.£"))).toBe("GBP.£");
  expect(decodePush(Buffer.from("{}\0"))).toBe("{}");
});

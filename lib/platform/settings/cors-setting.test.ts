import { expect, test } from "vitest";
import { corsSetting } from "@/lib/platform/settings/cors-setting";

test.each([
  ["", null],
  [" , ", null],
  ["*", "*"],
  ["https://app.example.com", new Set(["https://app.example.com"])],
  [
    "https://APP.example.com:443/, http://localhost:5173",
    new Set(["https://app.example.com", "http://localhost:5173"]),
  ],
])("The setting %j is %j", (text, expected) => expect(corsSetting.parse(text)).toEqual(expected));

test.each([
  "app.example.com",
  "https://app.example.com/page",
  "https://user@app.example.com",
  "ftp://x",
  "null",
  "https://*",
])("%s is refused by its name", (text) => {
  const { error } = corsSetting.safeParse(`https://ok.example, ${text}`);
  expect(error?.issues[0]?.message).toContain(JSON.stringify(text));
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CLIENT_TYPES_FILE, writeClientTypes } from "@/scripts/client-types";
import { PYTHON_CLIENT_FILE, writePythonClient } from "@/scripts/python-client";

test("The types of the TypeScript client are those of the API: npm run generate:clients writes them", async () => {
  expect(readFileSync(CLIENT_TYPES_FILE, "utf8") === (await writeClientTypes())).toBe(true);
});

test("So are the types and the methods of the Python client", () => {
  expect(readFileSync(PYTHON_CLIENT_FILE, "utf8") === writePythonClient()).toBe(true);
});

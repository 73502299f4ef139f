import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { expect, test } from "vitest";
import { VERIFY_PYTHON, VERIFY_TYPESCRIPT } from "@/features/docs/guides/alerts";
import { mintWebhookSecret, signMessage } from "@/lib/alerts/delivery";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

const run = promisify(execFile);
const HAS_PYTHON = spawnSync("python3", ["--version"]).status === 0;
if (!HAS_PYTHON) process.stderr.write("\n*** SKIPPED: no python3 to run the code that verifies webhooks ***\n\n");

/** A valid message, and others that must not be accepted. */
function createMessages() {
  const secret = mintWebhookSecret();
  const body = '{"type":"alert.test","data":{"message":"“quoted”"}}';
  const create = (ms: number, signedBody = body, key = secret) => {
    const timestamp = Math.floor(ms / SECOND_MS);
    const signature = signMessage(key, "an-id", timestamp, signedBody);
    return { "webhook-id": "an-id", "webhook-timestamp": String(timestamp), "webhook-signature": signature };
  };
  const nowMs = Date.now();
  const valid = create(nowMs);
  const headers = [
    valid,
    { ...valid, "webhook-signature": `v1,AAAA ${valid["webhook-signature"]}` },
    create(nowMs - 10 * MINUTE_MS),
    create(nowMs, `${body} `),
    create(nowMs, body, mintWebhookSecret()),
    { ...valid, "webhook-id": "another" },
    { ...valid, "webhook-signature": "" },
    {},
  ];
  return { secret, body, headers };
}

const EXPECTED = [true, true, false, false, false, false, false, false];

test("The guide's TypeScript accepts messages with a valid signature, and no others", async () => {
  const { secret, body, headers } = createMessages();
  const call = `console.log(JSON.stringify(${JSON.stringify(headers)}.map((each) => verify(${JSON.stringify(secret)}, each, ${JSON.stringify(body)}))));`;
  const { code } = await transform(`${VERIFY_TYPESCRIPT}\n${call}`, { loader: "ts", format: "esm" });
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", code]);
  expect(JSON.parse(stdout)).toEqual(EXPECTED);
});

test.runIf(HAS_PYTHON)("The guide's Python accepts messages with a valid signature, and no others", async () => {
  const { secret, body, headers } = createMessages();
  const input = JSON.stringify({ secret, body, headers });
  const call =
    "import json, sys\ngiven = json.loads(sys.argv[1])\nprint(json.dumps([verify(given['secret'], each, given['body']) for each in given['headers']]))";
  const { stdout } = await run("python3", ["-c", `${VERIFY_PYTHON}\n${call}`, input]);
  expect(JSON.parse(stdout)).toEqual(EXPECTED);
});

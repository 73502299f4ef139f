import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { expect, test } from "vitest";
import { withAccess } from "@/e2e/support/access";
import { startTestServer } from "@/e2e/support/test-server";

test("An account gets one mail for each quota notice over a real mail server", async () => {
  const mails: string[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    onData(stream, _session, done) {
      let text = "";
      stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
      stream.on("end", () => {
        mails.push(text);
        done();
      });
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, "127.0.0.1", resolve));
  const { port } = smtp.server.address() as AddressInfo;
  const env = { SPOTLINE_SMTP_URL: `smtp://127.0.0.1:${port}`, SPOTLINE_MAIL_FROM: "Spotline <prices@example.com>" };
  const spotline = await startTestServer({ env });
  try {
    const key = await withAccess({ SPOTLINE_DATA_DIR: spotline.dataDir }, async ({ accounts, keys }) => {
      const { id } = await accounts.create({ email: "owner@example.com", password: "correct horse battery" });
      await accounts.setLimits(id, { perDay: 2 });
      return (await keys.create({ accountId: id, label: "desk", scopes: ["all"] })).secret;
    });
    const call = () => fetch(`${spotline.url}/v1/quote?symbol=EURUSD`, { headers: { "X-API-Key": key } });
    expect((await call()).status).toBe(200);
    await expect.poll(() => mails.length, { timeout: 15_000 }).toBe(1);
    expect(mails[0]).toContain("Subject: 50 % of the calls of the day are used");
    expect((await call()).status).toBe(200);
    expect((await call()).status).toBe(429);
    await expect.poll(() => mails.length, { timeout: 15_000 }).toBe(2);
    expect(mails[1]).toContain("Subject: All of the calls of the day are used");
    expect(mails[1]).toContain("To: owner@example.com");
    // No further mail follows after two more checks.
    await new Promise((resolve) => setTimeout(resolve, 7_000));
    expect(mails).toHaveLength(2);
  } finally {
    await spotline.stop();
    await new Promise<void>((resolve) => smtp.close(() => resolve()));
  }
}, 120_000);

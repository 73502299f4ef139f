import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterEach, expect, test } from "vitest";
import { createMailer } from "@/lib/platform/mail";

interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
  readonly user: string | null;
}

let server: SMTPServer;
afterEach(() => new Promise<void>((resolve) => server.close(() => resolve())));

/** A mail server on its own port. */
async function startServer({ refuse = false } = {}): Promise<{ port: number; received: Received[] }> {
  const received: Received[] = [];
  server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    hideSTARTTLS: true,
    onAuth: ({ username, password }, _session, done) =>
      password === "p@ss" ? done(null, { user: username }) : done(new Error("no")),
    onRcptTo: (_address, _session, done) => done(refuse ? new Error("no such mailbox") : null),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? "" : mailFrom.address;
        const to = rcptTo.map(({ address }) => address);
        received.push({ from, to, text: Buffer.concat(chunks).toString(), user: session.user ?? null });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.server.address() as AddressInfo).port, received };
}

const mail = { to: "owner@example.com", subject: "80 % “used” · £", text: "Zeile äöü\n.\nend", id: "abc-1" };
const FROM = "Spotline <prices@example.com>";

test("A mail is sent as plain text, with the given id", async () => {
  const { port, received } = await startServer();
  await createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from: FROM }).send(mail);
  expect(received).toHaveLength(1);
  expect(received[0]).toMatchObject({ from: "prices@example.com", to: ["owner@example.com"], user: null });
  const text = received[0]?.text ?? "";
  expect(text).toContain("Message-ID: <abc-1@example.com>");
  expect(text).toContain("From: Spotline <prices@example.com>");
  expect(text).toContain("Auto-Submitted: auto-generated");
  expect(text).toMatch(/Subject: =\?UTF-8\?/);
  expect(text).toContain("Content-Type: text/plain; charset=utf-8");
});

test("The mailer signs in with the credentials of the address, and rejects if they are wrong", async () => {
  const { port, received } = await startServer();
  await createMailer({ smtpUrl: `smtp://desk:p%40ss@127.0.0.1:${port}`, from: FROM }).send(mail);
  expect(received[0]?.user).toBe("desk");
  await expect(
    createMailer({ smtpUrl: `smtp://desk:wrong@127.0.0.1:${port}`, from: FROM }).send(mail),
  ).rejects.toThrow();
});

test("The mailer rejects when the server refuses or does not run", async () => {
  const { port } = await startServer({ refuse: true });
  await expect(createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from: FROM }).send(mail)).rejects.toThrow();
  await expect(createMailer({ smtpUrl: "smtp://127.0.0.1:1", from: FROM }).send(mail)).rejects.toThrow();
});

test("Line breaks in a mail add no recipients or headers", async () => {
  const { port, received } = await startServer();
  const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from: FROM });
  await mailer.send({ ...mail, subject: "one\r\nBcc: third@example.com\r\n\r\nbody" });
  expect(received[0]?.to).toEqual(["owner@example.com"]);
  expect(received[0]?.text).not.toMatch(/^Bcc:/m);
});

import type { Transporter } from "nodemailer";

/** Sends mail over the operator's SMTP server. */
export interface Mailer {
  /** Resolves once the server has accepted the mail. Rejects otherwise, within half a minute. */
  send(mail: Mail): Promise<void>;
}

interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Becomes the Message-ID, by which a mail that arrives twice can be recognised. */
  readonly id: string;
}

interface MailSettings {
  /** smtp://user:password@host:587, or smtps:// for TLS from the first byte. */
  readonly smtpUrl: string;
  /** "Spotline <prices@example.com>" */
  readonly from: string;
}

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

export function createMailer({ smtpUrl, from }: MailSettings): Mailer {
  let transport: Promise<Transporter> | undefined;
  // Loaded with the first mail: most servers send none.
  const openTransport = async () => {
    const { createTransport } = await import("nodemailer");
    return createTransport({ url: smtpUrl, ...timeouts, disableFileAccess: true, disableUrlAccess: true });
  };
  const host = from.slice(from.lastIndexOf("@") + 1).replace(/[^\w.-].*$/, "");
  return {
    async send({ to, subject, text, id }) {
      const opened = await (transport ??= openTransport());
      await opened.sendMail({
        from,
        to: { name: "", address: to },
        subject,
        text,
        messageId: `<${id}@${host}>`,
        headers: { "Auto-Submitted": "auto-generated" },
      });
    },
  };
}

import { type Deliverer, startDeliverer } from "@/lib/alerts/delivery/deliverer";
import { AlertEngine } from "@/lib/alerts/engine/alert-engine";
import type { Config } from "@/lib/platform/config";
import type { Database } from "@/lib/platform/database/database";
import { createMailer } from "@/lib/platform/mail";

type EngineParts = Omit<ConstructorParameters<typeof AlertEngine>[0], "pool" | "onFiring">;

interface Parts extends EngineParts {
  readonly config: Pick<Config, "mail" | "publicUrl" | "isPrivateWebhookAllowed">;
  readonly database: Pick<Database, "pool">;
  readonly sessionSecret: string;
}

/** Starts the alerts of a server: what evaluates them, and what sends their messages. */
export async function startAlerts({ config, database: { pool }, sessionSecret, ...parts }: Parts) {
  const { now, log } = parts;
  const { mail, publicUrl, isPrivateWebhookAllowed: isPrivateAllowed } = config;
  const mailer = mail && createMailer(mail);
  const deliverer: Deliverer = startDeliverer({ pool, now, log, sessionSecret, isPrivateAllowed, mailer, publicUrl });
  // A failure is repeated with the next round.
  const onFiring = () => void deliverer.deliver().catch(() => {});
  const engine = new AlertEngine({ ...parts, pool, onFiring });
  await engine.start();
  return {
    onQuote: engine.onQuote,
    async stop(): Promise<void> {
      await engine.stop();
      await deliverer.stop();
    },
  };
}

import { type Deliverer, startDeliverer } from "@/lib/alerts/delivery";
import { AlertEngine } from "@/lib/alerts/engine";
import type { WhileRecording } from "@/lib/history/recording/while-recording";
import type { Config } from "@/lib/platform/config";
import type { Database } from "@/lib/platform/database/database";
import { createMailer } from "@/lib/platform/mail";

type EngineParts = Omit<ConstructorParameters<typeof AlertEngine>[0], "pool" | "fence" | "onFiring">;

interface Parts extends EngineParts {
  readonly config: Pick<Config, "mail" | "publicUrl" | "pushContact" | "webhookRules">;
  readonly database: Pick<Database, "pool">;
  readonly sessionSecret: string;
}

/**
 * Starts the alerts of a server: what evaluates them, on the one that records, and what sends their messages. A message is
 * claimed in the database, so every server may send.
 */
export async function startAlerts(
  { config, database: { pool }, sessionSecret, ...parts }: Parts,
  whileRecording: Pick<WhileRecording, "run">,
) {
  const { now, log } = parts;
  const { mail, publicUrl, pushContact, webhookRules: rules } = config;
  const mailer = mail && createMailer(mail);
  const deliverer: Deliverer = startDeliverer({
    ...{ pool, now, log, sessionSecret, rules, mailer },
    publicUrl,
    pushContact,
  });
  // A failure is repeated with the next round.
  const onFiring = () => void deliverer.deliver().catch(() => {});
  let engine: AlertEngine | null = null;
  const evaluating = await whileRecording.run(async (fence) => {
    const started = new AlertEngine({ ...parts, pool, fence, onFiring });
    await started.start();
    engine = started;
    return {
      async stop(): Promise<void> {
        engine = null;
        await started.stop();
      },
    };
  });
  return {
    onQuote: (quote: Parameters<AlertEngine["onQuote"]>[0]) => engine?.onQuote(quote),
    async stop(): Promise<void> {
      await evaluating.stop();
      await deliverer.stop();
    },
  };
}

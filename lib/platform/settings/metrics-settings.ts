import { z } from "zod";

/** The settings of /metrics. */

const PORT = "must be a whole number from 0 to 65535";
const TOKEN = "must have at least 32 characters; `openssl rand -hex 32` prints some";

export const metricsEnvironment = {
  SPOTLINE_METRICS_PORT: z
    .string()
    .regex(/^\d{1,5}$/, PORT)
    .transform(Number)
    .pipe(z.number().max(65_535, PORT))
    .optional(),
  SPOTLINE_METRICS_HOST: z.string().default("127.0.0.1"),
  SPOTLINE_METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]*$/, "must have no spaces, and only characters of ASCII")
    .min(32, TOKEN)
    .optional(),
};

interface MetricsEnvironment {
  readonly SPOTLINE_METRICS_PORT?: number | undefined;
  readonly SPOTLINE_METRICS_HOST: string;
  readonly SPOTLINE_METRICS_TOKEN?: string | undefined;
}

/** Where Prometheus reads /metrics: at an address of its own, or at the public port with a token. */
export interface MetricsSettings {
  /** What a scrape must send; null only at an address of its own. */
  readonly token: string | null;
  /** Null: the public port. */
  readonly own: { readonly port: number; readonly host: string } | null;
}

/** Null where no metrics are served. */
export function readMetricsSettings(value: MetricsEnvironment): MetricsSettings | null {
  const { SPOTLINE_METRICS_PORT: port, SPOTLINE_METRICS_HOST: host, SPOTLINE_METRICS_TOKEN: token = null } = value;
  if (port !== undefined) return { token, own: { port, host } };
  return token === null ? null : { token, own: null };
}

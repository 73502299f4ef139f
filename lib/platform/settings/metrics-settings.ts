import * as z from "zod";
import { secret, wholeIn } from "@/lib/platform/settings/setting-values";

/** The settings of /metrics. */

export const metricsEnvironment = {
  SPOTLINE_METRICS_PORT: wholeIn(0, 65_535).optional(),
  SPOTLINE_METRICS_HOST: z.string().default("127.0.0.1"),
  SPOTLINE_METRICS_TOKEN: secret
    .regex(/^[\x21-\x7e]*$/, "must have no spaces, and only characters of ASCII")
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

import * as z from "zod";

/** Which answered calls the log has a line for. */
export interface AccessLogShares {
  /** The share of the calls, from 0 to 1. */
  readonly share: number;
  /** The share of the calls of single endpoints, by their path as the log has it. */
  readonly paths: ReadonlyMap<string, number>;
}

const FORM = "must be a share from 0 to 1, or several like 0.01,/v1/quote=0.001,/health=0";

/** "0.01,/v1/quote=0.001,/health=0": a share of all calls, and others for single endpoints. */
export const accessLogSetting = z.string().transform((text, context): AccessLogShares => {
  const paths = new Map<string, number>();
  let share = 1;
  for (const entry of text.split(",").map((part) => part.trim())) {
    const [, path, digits] = /^(?:(\/\S+|unmatched)=)?(\d(?:\.\d+)?)$/.exec(entry) ?? [];
    const value = Number(digits);
    if (!(value <= 1)) {
      context.addIssue({ code: "custom", message: `${FORM}; ${JSON.stringify(entry)} is not` });
      return z.NEVER;
    }
    if (path === undefined) share = value;
    else paths.set(path, value);
  }
  return { share, paths };
});

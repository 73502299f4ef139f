import * as z from "zod";
import { CATEGORIES, WEEKDAYS } from "@/lib/market/instrument";
import { MAX_DIGITS, PIP_SIZES } from "@/lib/market/price";
import { isZone } from "@/lib/time/zone-offset";

/** What operators say of instruments, at the command line and in spotline.config.ts. */

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, "must be like 09:00");
const day = z.array(
  z.strictObject({ from: time, to: time }).refine(({ from, to }) => from < to, "must end after it begins"),
);
const code = z.string().regex(/^[A-Z0-9]{2,12}$/, "must be a code like USD");
const size = z.number().positive();

/** What an operator says of an instrument. What is left out stays as it is, or is derived for a new one. */
export const instrumentFields = z.strictObject({
  name: z.string().trim().min(1).max(80).optional(),
  description: z.string().trim().min(1).max(200).optional(),
  category: z.enum(CATEGORIES).optional(),
  /** Null for an instrument that is no pair. */
  base: code.nullable().optional(),
  quote: code.nullable().optional(),
  marginCurrency: code.nullable().optional(),
  digits: z.int().min(0).max(MAX_DIGITS).optional(),
  pipSize: z
    .number()
    .refine((value) => PIP_SIZES.some((each) => each === value), "must be a power of ten from 100 to 1e-10")
    .optional(),
  contractSize: size.optional(),
  minVolume: size.optional(),
  maxVolume: size.optional(),
  volumeStep: size.optional(),
  swapLong: z.number().nullable().optional(),
  swapShort: z.number().nullable().optional(),
  /** "always", the symbol of an instrument that trades at the same hours, or a zone and its days. */
  hours: z
    .union([
      z.string(),
      z.strictObject({
        zone: z.string().refine(isZone, "must be an IANA zone like Europe/London"),
        days: z.strictObject(
          Object.fromEntries(WEEKDAYS.map((name) => [name, day])) as Record<(typeof WEEKDAYS)[number], typeof day>,
        ),
      }),
    ])
    .optional(),
  /** All other names; they replace the earlier ones. */
  aliases: z.array(z.string().trim().min(1).max(64)).max(50).optional(),
});

export type InstrumentFields = z.output<typeof instrumentFields>;

export interface WantedInstrument {
  readonly symbol: string;
  readonly fields: InstrumentFields;
}

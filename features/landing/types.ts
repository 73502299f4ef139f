import type { ServedQuote } from "@/lib/book/quote";
import type { Instrument } from "@/lib/market/instrument";

/** The one quote that visitors without an account see. Its time is cut to the second. */
export type LandingQuote = Omit<ServedQuote, "json"> & Pick<Instrument, "name" | "digits" | "pipSize">;

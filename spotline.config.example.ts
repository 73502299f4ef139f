import { defineSpotline } from "spotline";

/**
 * The sources of prices. Copy this file to spotline.config.ts and change it; it replaces SPOTLINE_FEED. After a change,
 * `npm run -s spotline -- sources reload` starts and stops only the sources that differ. Tokens and passwords are not
 * written here, but in the environment or in .env.
 */
export default defineSpotline({
  sources: [
    {
      kind: "replay",
      dir: "recordings",
      // The lowest is served first.
      priority: 1,
      // What this source calls the symbols, where that is not clear.
      aliases: { "GER40.cash": "GER40" },
      // Prices a second that are usual while markets are open; fewer than half of it are reported.
      expectedRate: 0.5,
    },
    // Quotes what the others do not offer.
    { kind: "simulated", priority: 9 },
  ],
});

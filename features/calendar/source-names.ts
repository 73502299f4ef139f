/** The names of the calendar's sources for people. Imports have the name that their operator gave them. */
export const SOURCE_NAMES: Readonly<Record<string, string>> = {
  simulated: "Simulated",
  mt5: "MetaTrader 5",
  forexfactory: "ForexFactory, weekly file",
};

import type { AutoscaleInfo } from "lightweight-charts";
import { readFontFamily } from "@/components/shared/theme-colours";

/** The width of the value axis. What is drawn below the plot on the same time axis leaves as much room. */
const VALUE_AXIS_WIDTH = 56;

/** Lets the value axis begin at zero. */
export function includeZero(findRange: () => AutoscaleInfo | null): AutoscaleInfo | null {
  const found = findRange();
  return found?.priceRange == null ? found : { ...found, priceRange: { ...found.priceRange, minValue: 0 } };
}

/** The options of a chart in the colours of the page. */
export function createLook(colourOf: (token: string) => string) {
  return {
    autoSize: true,
    handleScroll: false,
    handleScale: false,
    layout: {
      background: { color: "transparent" },
      textColor: colourOf("--faint"),
      fontFamily: readFontFamily(),
      fontSize: 11,
      // The logo brings a style element, which the page's policy refuses. `ChartCredit` names the library instead.
      attributionLogo: false,
    },
    grid: { vertLines: { visible: false }, horzLines: { color: colourOf("--line") } },
    crosshair: {
      mode: 0,
      vertLine: { color: colourOf("--edge"), labelBackgroundColor: colourOf("--raised") },
      horzLine: { color: colourOf("--edge"), labelBackgroundColor: colourOf("--raised") },
    },
    rightPriceScale: {
      borderVisible: false,
      minimumWidth: VALUE_AXIS_WIDTH,
      scaleMargins: { top: 0.06, bottom: 0.06 },
    },
  };
}

/** The endpoints behind panels, and the credits of a call. The registry defines them; browsers do not load it. */
export const CREDITS = {
  "/v1/alerts": 1,
  "/v1/calendar": 2,
  "/v1/heatmap": 2,
  "/v1/indicator/history": 3,
  "/v1/indicators": 1,
  "/v1/monitor/account": 1,
  "/v1/ohlc": 1,
  "/v1/quotes": 1,
  "/v1/screener": 1,
  "/v1/sessions": 1,
  "/v1/spread": 1,
  "/v1/spread/compare": 1,
  "/v1/summary": 2,
  "/v1/ticks": 3,
  "/v1/webhooks": 1,
} as const;

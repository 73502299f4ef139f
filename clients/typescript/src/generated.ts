// Generated from the OpenAPI document by `npm run generate:clients`. Do not edit.

export interface paths {
    "/v1/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The current bid and ask of one symbol, from the first live source or from the one you name.
         * @description Costs 1 credit. Needs the scope quotes, on every plan.
         */
        get: operations["getQuote"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/quotes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The current quotes of up to a hundred symbols. Unknown ones are listed, not refused.
         * @description Costs 1 credit. Needs the scope quotes, on every plan.
         */
        post: operations["postQuotes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/symbols": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The instruments this service knows, by category or by a part of their name.
         * @description A key that is restricted to some symbols gets those only.
         *
         *     Costs 1 credit. Needs the scope quotes, on every plan.
         */
        get: operations["getSymbols"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/symbols/{symbol}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everything about one instrument, under any broker's spelling of its name.
         * @description Costs 1 credit. Needs the scope quotes, on every plan.
         */
        get: operations["getSymbolsSymbol"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The current quotes of several symbols, then every change, as server-sent events.
         * @description The event snapshot has all quotes and states, quote has the fields of GET /v1/quote, state tells when a quote becomes delayed, stale or closed, heartbeat comes every ten seconds, and end has the reason of the end as an error. With bars=1s, bar has the bar of a second, with the fields of a candle; with events, release has an event of GET /v1/calendar whose figure was just released, for plans that include released figures; gap has lost time of a source. With from, the stream begins with what was recorded, one price of each symbol a second or every tick, and continues until to, with the event done, or becomes live, with the event live; both tell how much was sent. The header Last-Event-ID continues a stream. The same prices come over a WebSocket at /ws/v1/quotes. The plan limits the streams of a key and the symbols of a stream; each further minute counts as one call and one credit.
         *
         *     Costs 1 credit. Needs the scope quotes, on every plan.
         */
        get: operations["getStream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/indicator": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One indicator of one symbol at the latest closed bar.
         * @description Williams_R_14, Parabolic_SAR, CCI_14, TEMA_20 and the aliases WilliamsR_14 and SAR answer, and fail, flat: without the envelope. Every other name answers in the envelope: those of the list, and families with parameters, such as RSI_21. All of the list follow MetaTrader 5's definitions, as /v1/indicators/list tells them; a line that is drawn ahead, such as the Alligator's, has at a bar the value that a chart shows there. The header X-Bar-State tells when the bar is not the newest possible.
         *
         *     Costs 1 credit. Needs the scope indicators, on every plan.
         */
        get: operations["getIndicator"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/indicators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every indicator of one symbol at the latest closed bar; null where there is too little history.
         * @description Costs 1 credit. Needs the scope indicators, on every plan.
         */
        get: operations["getIndicators"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ticks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The recorded ticks of one symbol in up to one hour, one a second.
         * @description A row is the last update of its second; a second without an update has none, so there are at most 3,600 an hour. The header X-Coverage tells rows/seconds: how many rows there are, and how many seconds of the range have passed. Seconds in which the market was closed count like any other, so an hour of a weekend reads 0/3600. Times for which a source's prices are lost, or not filled in from its own past yet, are in source_gaps. Answers for whole closed hours are sent as gzip to those who accept it. With resolution=tick the rows are every tick that the operator keeps (SPOTLINE_KEEP_TICKS), by the broker's time in milliseconds, with its source and when it was received. Without source they are the tape of the served price: each tick whose source was the served one when it was received. A busy hour has several pages: repeat the call with from as next_from says, also in X-Next-From, until it is null. not_kept has the times in the range in which ticks were not kept.
         *
         *     Costs 3 credits. Needs the scope historical, on the plans pro, enterprise.
         */
        get: operations["getTicks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ohlc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Candles of one symbol and timeframe, oldest first.
         * @description Bars are made of bid prices; their volume is the number of price updates. With price=ask or price=mid they are joined from the last quote of each second, as far back as ticks are retained; their volume is the number of seconds with a price, and a mid may have one more digit than its quote. Bars of which whole ones make an hour follow the UTC clock, all others New York's 17:00, so that a week has five daily bars. Bars of seconds have the last bid of each second, their volume is the number of seconds with a price, and from and to may lie a week apart. A bar in which no price came does not exist. The bar that is still filling is the last one when the range reaches it; its high, low, close and volume will change. The header X-Coverage tells bars/expected: how many bars there are, and how many the answered range would have if prices had come whenever the market was open; it is left out where that would be more than 10,000.
         *
         *     Costs 1 credit. Needs the scope historical, on every plan.
         */
        get: operations["getOhlc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ticks, bars, spreads, quotes or proofs of one symbol, or the calendar, as a file: CSV or Parquet.
         * @description The columns are those of the files of `spotline export`. ticks: time, bid, ask; ticks with resolution=tick: time, source, bid, ask, received, served, of every tick of each source, and served is 1 for those that /v1/ticks has without a source; bars: time, open, high, low, close, volume; spreads: time, source, samples, min, max, mean, deviation, of each minute and source, where the served price has no source; quotes: time, source, bid, ask, quoted_at, stale_after_ms, of each second in which the source had an update; proofs: time, seq, ticks, content, written, cause, origins, link, of each version of each closed hour of ticks, whose hashes tools/verify.py computes again; calendar: the events as they are now; calendar_revisions: every recorded change of these events. CSV begins with a column symbol, has a header, CRLF, and times like 2026-11-20T13:00:00Z. Parquet has TIMESTAMP in milliseconds, UTC, and prices as DOUBLE, each the nearest to its exact price. Bars, spreads and every tick are of hours that are no longer recorded. The header X-Coverage tells rows/expected of ticks and bars, as in /v1/ticks and /v1/ohlc, and of every tick kept/all: the seconds in which ticks were kept. Ticks, quotes and proofs need a plan that includes ticks, and the calendar one that includes it; without released figures in the plan, the events have none, as in /v1/calendar.
         *
         *     Costs 3 credits. Needs the scope historical, and for some calls one of the plans pro, enterprise.
         */
        get: operations["getExport"];
        put?: never;
        /**
         * Begins an export of a long range: a file for each symbol and month.
         * @description Answers 202 at once. `GET /v1/export/{export}` tells how far it is, and links to the files once it is done. The files are those of `spotline export`: whole closed months have the same bytes in every export. An account may have 3 exports that are not finished, and 20 in all. They are kept for 7 days. It costs what one call of GET /v1/export does. Ticks, quotes and proofs need a plan that includes ticks, and the calendar one that includes it. With resolution=tick, it is refused if every tick is kept of none of the symbols.
         *
         *     Costs 3 credits. Needs the scope historical, on every plan.
         */
        post: operations["postExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The exports of the account, newest first: their state, their size and when they expire.
         * @description Those that have expired or were deleted are not in it. A key that is restricted to some symbols gets the exports of only these. The links of include=files need no key, and are valid for a day.
         *
         *     Costs 1 credit. Needs the scope historical, on every plan.
         */
        get: operations["getExports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/export/{export}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How far an export is, and links to its files once it is done.
         * @description Links need no key, and are valid for a day. They end with the export, and with the key that created it.
         *
         *     Costs 1 credit. Needs the scope historical, on every plan.
         */
        get: operations["getExportExport"];
        put?: never;
        post?: never;
        /**
         * Deletes an export with its files, also one that is not finished.
         * @description Costs 1 credit. Needs the scope historical, on every plan.
         */
        delete: operations["deleteExportExport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/export/files/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A file of an export, by its link.
         * @description Answers whole or in one range of bytes, so that a download is continued where it ended: `Range` with `If-Range`. The ETag is the SHA-256 of the file. Where several servers answer behind one address, another one may have the file: 503 says so, and the same link works at the server that wrote it.
         *
         *     Needs no key and costs nothing.
         */
        get: operations["getExportFilesFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/indicators/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The indicators there are, by category: what each one is, or all about it.
         * @description Costs 1 credit. Needs the scope indicators, on every plan.
         */
        get: operations["getIndicatorsList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/indicator/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One indicator over past bars, oldest first.
         * @description Closed bars only; the value is null where there is too little history for one. A series holds at most limit bars: the first ones where from is given, else the latest ones before to.
         *
         *     Costs 3 credits. Needs the scope historical, on the plans starter, pro, enterprise.
         */
        get: operations["getIndicatorHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/multi": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Several indicators of several symbols: at the latest closed bar, or at every bar of a past range.
         * @description Past readings, with from, are not part of every plan.
         *
         *     Costs 2 credits. Needs the scope premium, and for some calls one of the plans starter, pro, enterprise.
         */
        get: operations["getMulti"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/screener": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The symbols whose indicator, at the latest closed bar, lies between two values. Those without a value never match.
         * @description A key that is restricted to some symbols screens those only. Symbols whose latest closed bar is outdated come after all others: their values are not of the market of now.
         *
         *     Costs 1 credit. Needs the scope indicators, on every plan.
         */
        get: operations["getScreener"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One market at a glance: where trend and momentum point, what speaks for and against it, and the levels near by.
         * @description It speaks of the market of now: 404 DATA_NOT_FOUND if the latest closed bar is outdated, which is more than 60 bars of M1, 10 of D1, 4 of W1 or MN1, an hour of shorter bars or 20 of another timeframe behind the newest that there can be.
         *
         *     Costs 2 credits. Needs the scope premium, on every plan.
         */
        get: operations["getSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/spread": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The spread of one symbol now, and its statistics over the seconds recorded in a period that ends now. Of 1h and 24h the period begins at the whole minute at or before, of 7d and 30d at the whole hour. X-Quote-State tells how far the current spread may be trusted.
         * @description Costs 1 credit. Open to every key, on every plan.
         */
        get: operations["getSpread"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/spread/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The spreads of up to twenty symbols, tightest on average first. Unknown symbols, and those nothing was recorded of, come last, with nulls.
         * @description Costs 1 credit. Open to every key, on every plan.
         */
        get: operations["getSpreadCompare"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/quality": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How complete the prices of a symbol's sources are, and how they compare, day by day.
         * @description For each UTC day and source: the seconds that are expected by the trading hours and those that are covered, gaps with their reasons, the share that was served from it, how far it was from the other sources, spikes, refused ticks, and the offset of its clock. Each M1 bar has a verdict. An hour is judged some minutes after its end, from the prices of all sources as they were received. /docs/quality defines every figure.
         *
         *     Costs 1 credit. Open to every key, on every plan.
         */
        get: operations["getQuality"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/quality/day": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The condition of every symbol and source on a day, the worst first.
         * @description First those of which nothing is covered, then degraded ones, days that are not over, and complete ones; of the same condition the least complete first. /v1/quality has the figures of one symbol. A key that is restricted to some symbols gets those only. /docs/quality defines every figure.
         *
         *     Costs 1 credit. Open to every key, on every plan.
         */
        get: operations["getQualityDay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which trading sessions are open, which overlap, and what opens or closes next.
         * @description Costs 1 credit. Open to every key, on every plan.
         */
        get: operations["getSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/heatmap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How strong each of the eight major currencies is, or how alike currencies or symbols move.
         * @description Strength is from 0 to 10, against the other seven. Correlation is Pearson's coefficient of logarithmic returns from bar to bar, from -1 to 1: of the eight currencies, each against the other seven, or of the symbols in symbols. A key that is restricted to some symbols needs all pairs of the eight currencies, which the category forex has, or the symbols in symbols.
         *
         *     Costs 2 credits. Needs the scope premium, on every plan.
         */
        get: operations["getHeatmap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/calendar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Economic events of a window of time, with forecast, previous and released figures.
         * @description Costs 2 credits. Open to every key, on the plans tool keys, payg, starter, pro, enterprise.
         */
        get: operations["getCalendar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/calendar/window": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether a release of a symbol's currencies is near: the window around it, and the next one.
         * @description A window begins `before` minutes before a release and ends `after` minutes after it; windows that overlap or touch are one, with all of their events. The state is inside, clear or unknown. It is unknown if no release is near that the calendar lists, but the calendar does not reach to the end of `before`, lists nothing of one of the currencies, or has an event of the day without an hour. A program that must not trade around news trades while the state is clear. CNH counts as CNY; metals, coins and shares have the releases of the currency that they are quoted in.
         *
         *     Costs 2 credits. Open to every key, on the plans tool keys, payg, starter, pro, enterprise.
         */
        get: operations["getCalendarWindow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The alerts of the account, newest first.
         * @description Costs 1 credit. Needs the scope alerts, on every plan.
         */
        get: operations["getAlerts"];
        put?: never;
        /**
         * Creates an alert.
         * @description With none of `webhook_id`, `mail` and `push` it only writes its log. The guide on alerts says when it fires.
         *
         *     Costs 1 credit. Needs the scope alerts, on every plan.
         */
        post: operations["postAlerts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alerts/{alert}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One alert, with its log: when it fired, and what became of its messages.
         * @description Costs 1 credit. Needs the scope alerts, on every plan.
         */
        get: operations["getAlertsAlert"];
        put?: never;
        post?: never;
        /**
         * Deletes an alert, with its log and its messages that are not sent yet.
         * @description Costs 1 credit. Needs the scope alerts, on every plan.
         */
        delete: operations["deleteAlertsAlert"];
        options?: never;
        head?: never;
        /**
         * Changes the given settings of an alert.
         * @description With another condition, or once it is active again, the alert begins anew.
         *
         *     Costs 1 credit. Needs the scope alerts, on every plan.
         */
        patch: operations["patchAlertsAlert"];
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The webhooks of the account, without their secrets.
         * @description Costs 1 credit. Needs the scope alerts, on every plan.
         */
        get: operations["getWebhooks"];
        put?: never;
        /**
         * Creates a webhook, and shows its secret once.
         * @description The address begins with https:// and is on the public internet, unless the operator allows others. The kinds discord and slack have the address that the chat shows, and telegram has token and chat in its place; what a chat's answer means is in the log of alerts.
         *
         *     Costs 1 credit. Needs the scope alerts, on every plan.
         */
        post: operations["postWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhook}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a test message to a webhook, at most five a minute for an account.
         * @description Costs 1 credit. Needs the scope alerts, on every plan.
         */
        post: operations["postWebhooksWebhook"];
        /**
         * Deletes a webhook. Its alerts stay, and its messages that are not sent yet are not sent.
         * @description Costs 1 credit. Needs the scope alerts, on every plan.
         */
        delete: operations["deleteWebhooksWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/monitor/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The account of this key: its plan, what has been used of today's quota, and what the key itself may do.
         * @description The figures are the counters that the limits go by. A tool key has a quota of its own, which is then the one shown.
         *
         *     Costs 1 credit. Open to every key, on every plan.
         */
        get: operations["getMonitorAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/monitor/layout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The layout that was saved with this key, or null.
         * @description Costs 1 credit. Open to every key, on every plan.
         */
        get: operations["getMonitorLayout"];
        /**
         * Saves a layout for this key, in place of the one before: at most 60 items of the program's own.
         * @description Costs 1 credit. Open to every key, on every plan.
         */
        put: operations["putMonitorLayout"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/calendar.ics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The economic calendar as a feed that calendar programs subscribe to (iCalendar, RFC 5545).
         * @description Filters as for /v1/calendar. Without a window it reaches from 7 days back to 23 days ahead, and moves on with the days. Calendar programs send no headers, so the address may carry a token in place of the key: GET /v1/calendar/subscription has it. The token opens this feed alone and ends with its key. Events without a known hour are all-day events of their own country's day, and uncertain ones are TENTATIVE. SEQUENCE counts an event's changes.
         *
         *     Costs 2 credits. Open to every key, on the plans tool keys, payg, starter, pro, enterprise.
         */
        get: operations["getCalendarIcs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/calendar/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The address at which calendar programs subscribe to the economic calendar, with the filters of the request.
         * @description The address carries a token that is made of the key but is not the key: it opens the calendar feed alone, with the limits, the allow-list and the plan of the key, and ends when the key does. It is always the same for a key.
         *
         *     Costs 1 credit. Open to every key, on the plans tool keys, payg, starter, pro, enterprise.
         */
        get: operations["getCalendarSubscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This description of the API, in OpenAPI 3.1.
         * @description Needs no key and costs nothing.
         */
        get: operations["getOpenapiJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How the parts of the service are. Answers 200 while the process can answer at all.
         * @description Needs no key and costs nothing.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the service can do its work: 503 while a part of it is down, 200 otherwise.
         * @description Needs no key and costs nothing.
         */
        get: operations["getReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Quote: {
            /** @description The canonical name of the instrument */
            symbol: string;
            /** @description The price to sell at */
            bid: number;
            /** @description The price to buy at */
            ask: number;
            /** @description ask − bid */
            spread: number;
            /** @description The ask less the bid, in pips, with as many decimals as a point needs */
            spread_pips: number;
            /** @description When the broker made the price: the authority on its age */
            timestamp: components["schemas"]["Timestamp"];
            /** @description The source of the data */
            source: string;
        };
        /**
         * Format: date-time
         * @description ISO 8601, UTC
         */
        Timestamp: string;
        QuoteWithSources: {
            /** @description The canonical name of the instrument */
            symbol: string;
            /** @description The price to sell at */
            bid: number;
            /** @description The price to buy at */
            ask: number;
            /** @description ask − bid */
            spread: number;
            /** @description The ask less the bid, in pips, with as many decimals as a point needs */
            spread_pips: number;
            /** @description When the broker made the price: the authority on its age */
            timestamp: components["schemas"]["Timestamp"];
            /** @description The source of the data */
            source: string;
            best_bid: number;
            best_ask: number;
            /** @description Negative when the best prices of different brokers cross */
            best_spread: number;
            source_count: number;
            sources: components["schemas"]["SourceQuote"][];
        };
        SourceQuote: {
            broker: string;
            /** @description The price to sell at */
            bid: number;
            /** @description The price to buy at */
            ask: number;
            /** @description The ask less the bid */
            spread: number;
            updated: components["schemas"]["Timestamp"];
        };
        Error: {
            /** @constant */
            success: false;
            error: {
                code: components["schemas"]["ErrorCode"];
                /** @description For people; its words may change */
                message: string;
                /** @description With unknown names: up to three near ones */
                suggestions?: string[];
                /** @description With a wrong word: the words that are accepted */
                accepted?: string[];
                /** @description With INVALID_CATEGORY, _PERIOD, _SORT and _TIMEFRAME: the values that are accepted */
                valid_values?: string[];
                /** @description With INDICATOR_NOT_FOUND: every name and alias */
                available_indicators?: string[];
                /** @description With DATA_OUTSIDE_RETENTION: the first moment whose prices are stored, ISO 8601 */
                earliest_available?: string;
                /** @description With DATA_NOT_FOUND of every tick: since when they are kept, ISO 8601 */
                kept_from?: string;
                /** @description With DATA_NOT_FOUND of every tick: the last moment of them */
                kept_until?: string;
                /** @description With DATA_NOT_FOUND and at: the nearest moments at which something was recorded, ISO 8601 */
                nearest_recorded?: {
                    before: string | null;
                    after: string | null;
                };
                /** @description With DATA_OUTSIDE_RETENTION: for how long prices are stored, such as 90 days; null if for ever */
                retention_period?: string | null;
                /** @description With 422: where the fault is */
                details?: {
                    loc: string[];
                    msg: string;
                    type: string;
                }[];
                /** @description With RANGE_TOO_LARGE: the length of the range */
                requested_range?: string;
                /** @description With RANGE_TOO_LARGE: the longest range */
                max_range?: string;
                /** @description With RANGE_TOO_LARGE of the calendar: the days of the window */
                requested_days?: number;
                /** @description The most that the key may have: calls in its window, streams, or symbols of a stream */
                limit?: number;
                /** @description With 429: the calls that are left, 0 */
                remaining?: number;
                /** @description With 429: seconds until calls are taken again, as in Retry-After */
                reset_in_seconds?: number;
                /** @description With PLAN_UPGRADE_REQUIRED: the plan that the key is served under */
                current_plan?: string;
                /** @description With PLAN_UPGRADE_REQUIRED: the page of the plans */
                upgrade_url?: string;
            };
        };
        /**
         * @description What went wrong. More codes may be added.
         * @enum {string}
         */
        ErrorCode: "VALIDATION_ERROR" | "INVALID_DATE" | "INVALID_CATEGORY" | "INVALID_DATETIME" | "INVALID_IMPACT" | "INVALID_PERIOD" | "INVALID_RANGE" | "INVALID_REQUEST" | "INVALID_SORT" | "INVALID_SOURCE" | "INVALID_SYMBOL" | "INVALID_TIMEFRAME" | "INVALID_TYPE" | "DATA_OUTSIDE_RETENTION" | "NO_SYMBOLS" | "RANGE_TOO_LARGE" | "TOO_MANY_SYMBOLS" | "MISSING_API_KEY" | "INVALID_API_KEY" | "API_KEY_DISABLED" | "API_KEY_EXPIRED" | "ACCOUNT_SUSPENDED" | "IP_NOT_ALLOWED" | "ORIGIN_NOT_ALLOWED" | "PERMISSION_DENIED" | "PLAN_UPGRADE_REQUIRED" | "TOO_MANY_ALERTS" | "TOO_MANY_WEBHOOKS" | "NOT_FOUND" | "INDICATOR_NOT_FOUND" | "ALERT_NOT_FOUND" | "WEBHOOK_NOT_FOUND" | "EXPORT_NOT_FOUND" | "SYMBOL_NOT_FOUND" | "SOURCE_NOT_FOUND" | "DATA_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "PAYLOAD_TOO_LARGE" | "URI_TOO_LONG" | "UNSUPPORTED_MEDIA_TYPE" | "RANGE_NOT_SATISFIABLE" | "RATE_LIMIT_EXCEEDED" | "QUOTA_EXCEEDED" | "TOO_MANY_STREAMS" | "TOO_MANY_EXPORTS" | "INTERNAL_ERROR" | "SERVICE_UNAVAILABLE";
        Quotes: {
            quotes: components["schemas"]["QuoteFields"][];
            /** @description How many there are in this answer */
            count: number;
            /** @description What was asked for and does not exist */
            not_found: string[];
            /** @description Latest update of the data; never the response time */
            timestamp: components["schemas"]["Timestamp"] | "";
        };
        /** @description The fields that were asked for */
        QuoteFields: {
            /** @description The canonical name of the instrument */
            symbol: string;
            /** @description The price to sell at */
            bid?: number;
            /** @description The price to buy at */
            ask?: number;
            /** @description ask − bid */
            spread?: number;
            /** @description The ask less the bid, in pips, with as many decimals as a point needs */
            spread_pips?: number;
            /** @description When the broker made the price: the authority on its age */
            timestamp?: components["schemas"]["Timestamp"];
            /** @description The source of the data */
            source?: string;
        };
        SymbolSummary: {
            /** @description The canonical name of the instrument */
            symbol: string;
            /** @description The name for people */
            name: string;
            /**
             * @description The kind of instrument
             * @enum {string}
             */
            category: "forex" | "metals" | "commodities" | "indices" | "crypto" | "stocks";
            /** @description The first currency of a pair; null where there is none */
            base_currency: string | null;
            /** @description The currency of its prices; null where there is none */
            quote_currency: string | null;
            /** @description The decimals of its finest price so far: they rise, and never fall */
            digits: number;
            /** @description Whether its market is open now */
            tradable: boolean;
        };
        Pagination: {
            /** @description How many came before this page */
            offset: number;
            /** @description The most that a page has */
            limit: number;
            /** @description How many there are on all pages */
            total: number;
            /** @description Whether a further page has more */
            has_more: boolean;
        };
        SymbolDetails: {
            /** @description The canonical name of the instrument */
            symbol: string;
            /** @description The name for people */
            name: string;
            /**
             * @description The kind of instrument
             * @enum {string}
             */
            category: "forex" | "metals" | "commodities" | "indices" | "crypto" | "stocks";
            /** @description The first currency of a pair; null where there is none */
            base_currency: string | null;
            /** @description The currency of its prices; null where there is none */
            quote_currency: string | null;
            /** @description The decimals of its finest price so far: they rise, and never fall */
            digits: number;
            /** @description Whether its market is open now */
            tradable: boolean;
            description: string;
            point: number;
            /** @description One pip as a price */
            pip_size: number;
            contract_size: number;
            min_volume: number;
            max_volume: number;
            volume_step: number;
            swap_long: number | null;
            swap_short: number | null;
            margin_currency: string | null;
            trading_hours: {
                sunday: string;
                monday: string;
                tuesday: string;
                wednesday: string;
                thursday: string;
                friday: string;
                saturday: string;
            };
            aliases: string[];
            /** @description The source that named it, or operator; null for a built-in instrument */
            added_by: string | null;
            /** @description Where each of these facts comes from: the source or the operator said it, the symbol's name shows it, or it is usual (default); null for a built-in instrument */
            provenance: {
                /**
                 * @description The kind of instrument
                 * @enum {string}
                 */
                category: "source" | "operator" | "name" | "default";
                /** @enum {string} */
                currencies: "source" | "operator" | "name" | "default";
                /**
                 * @description The decimals of its finest price so far: they rise, and never fall
                 * @enum {string}
                 */
                digits: "source" | "operator" | "name" | "default";
                /** @enum {string} */
                pip: "source" | "operator" | "name" | "default";
                /** @enum {string} */
                hours: "source" | "operator" | "name" | "default";
                /**
                 * @description The name for people
                 * @enum {string}
                 */
                name: "source" | "operator" | "name" | "default";
            } | null;
            /** @description The rule that led from the given spelling to this symbol */
            resolved_by: string;
        };
        IndicatorReading: {
            /** @description The canonical name of the instrument */
            symbol: string;
            /** @description The name as in the request */
            indicator: string;
            timeframe: components["schemas"]["Timeframe"];
            /** @description At the latest closed bar */
            value: number;
            /** @description The price to sell at */
            bid: number;
            /** @description The price to buy at */
            ask: number;
            /** @description Unix seconds of the quote */
            updated_at: number;
            /**
             * Format: date-time
             * @description ISO 8601 with +00:00
             */
            server_time: string;
            /**
             * Format: date-time
             * @description When the bar of the value opened, ISO 8601 with +00:00
             */
            bar_time: string;
        };
        /**
         * @example M1
         * @example M2
         * @example M3
         * @example M5
         * @example M10
         * @example M15
         * @example M30
         * @example H1
         * @example H2
         * @example H3
         * @example H4
         * @example H6
         * @example H8
         * @example H12
         * @example D1
         * @example W1
         * @example MN1
         */
        Timeframe: string;
        FlatIndicatorReading: {
            /** @description The canonical name of the instrument */
            symbol: string;
            /** @description The name as in the request */
            indicator: string;
            timeframe: components["schemas"]["Timeframe"];
            /** @description When the latest closed bar opened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description The value of the indicator */
            value: number;
            signal: components["schemas"]["Signal"];
            ohlc: components["schemas"]["Ohlc"];
            metadata: {
                /** @description The source of the data */
                source: string;
                /** @description Age of the older of the newest quote and the close of the bar */
                data_age_seconds: number;
            };
            /** @description With bars above 1: how many bars the series holds */
            bars?: number;
            /** @description With bars above 1: those bars, oldest first */
            series?: components["schemas"]["FlatIndicatorPoint"][];
        };
        /** @enum {string} */
        Signal: "bullish" | "bearish" | "neutral" | "overbought" | "oversold";
        Ohlc: {
            /** @description The first price of the bar */
            open: number;
            /** @description The highest price of the bar */
            high: number;
            /** @description The lowest price of the bar */
            low: number;
            /** @description The last price of the bar */
            close: number;
            /** @description Price updates */
            volume: number;
        };
        FlatIndicatorPoint: {
            /** @description When the bar opened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description The value of the indicator */
            value: number;
            signal: components["schemas"]["Signal"];
            ohlc: components["schemas"]["Ohlc"];
        };
        /** @description The errors of flat indicator readings */
        FlatError: {
            /** @description The status in words */
            error: string;
            message: string;
            /** @description The status */
            code: number;
            /** @description With 429 only: seconds until calls are taken again */
            retry_after?: number;
        };
        IndicatorValues: {
            /** @description The canonical name of the instrument */
            symbol: string;
            timeframe: components["schemas"]["Timeframe"];
            bar_time: string | null;
            /** @description The latest closed bar, which all values belong to */
            ohlcv: components["schemas"]["Ohlc"] | null;
            /** @description The price to sell at */
            bid: number | null;
            /** @description The price to buy at */
            ask: number | null;
            /** @description Null where there is too little history */
            indicators: {
                [key: string]: number | null;
            };
            /** @description How many indicators are named, with a value or null */
            count: number;
            /** @description Unix seconds of the newest quote behind it; 0 before the first */
            updated_at: number;
        };
        Tick: {
            /**
             * Format: date-time
             * @description ISO 8601 with +00:00
             */
            time: string;
            /** @description The price to sell at */
            bid: number;
            /** @description The price to buy at */
            ask: number;
            /**
             * @description Always 0; carries no information
             * @constant
             */
            flags: 0;
            /** @description With include=origin: the id of one of the origins */
            origin?: number;
            /** @description With resolution=tick: the source */
            source?: string;
            /**
             * Format: date-time
             * @description With resolution=tick: when the server received it, to the millisecond
             */
            received?: string;
        };
        TickOrigin: {
            /** @description What origin of a tick names */
            id: number;
            /**
             * @description recorded: as it came; filled: from the source's own past, after a gap; imported: from a file; merged: moved from another instrument; generated: a simulated past; joined: imported when the recorder closed the hour; undone, removed: what was left after an import was undone, or a source removed; stored: by a version that did not note it
             * @enum {string}
             */
            kind: "recorded" | "joined" | "generated" | "filled" | "imported" | "undone" | "removed" | "merged" | "moved" | "stored";
            /**
             * @description Whether the prices are live, simulated, or those of a replayed recording
             * @enum {string}
             */
            mode: "live" | "simulated" | "replay";
            /** @description When the hour was written; null while it is recorded */
            written_at: string | null;
            /** @description Of filled and imported prices */
            source?: string;
            /**
             * Format: date-time
             * @description When the gap that was filled began
             */
            from?: string;
            /**
             * Format: date-time
             * @description When it ended
             */
            to?: string;
            /** @description The name of the imported file */
            file?: string;
            /** @description The SHA-256 of its content, in hex */
            sha256?: string;
            /** @description The id of the import, if it has one */
            import?: string | null;
            /** @description The other instrument of a merged one */
            symbol?: string;
        };
        NotKept: {
            /**
             * Format: date-time
             * @description ISO 8601 with +00:00
             */
            from: string;
            /**
             * Format: date-time
             * @description ISO 8601 with +00:00
             */
            to: string;
        };
        Gap: {
            /**
             * Format: date-time
             * @description The first second without a row
             */
            from: string;
            /**
             * Format: date-time
             * @description The second after the last one without a row
             */
            to: string;
            seconds: number;
        };
        SourceGap: {
            /**
             * Format: date-time
             * @description The last price of the source before
             */
            from: string;
            /**
             * Format: date-time
             * @description Its first price after
             */
            to: string;
            /** @description The source of the data */
            source: string;
            /**
             * @description Its connection, an operator, a change of its settings, or no server ran
             * @enum {string}
             */
            reason: "disconnected" | "paused" | "reloaded" | "stopped";
        };
        Candle: {
            /**
             * Format: date-time
             * @description When the bar opened: ISO 8601 with Z
             */
            time: string;
            /** @description The first price of the bar */
            open: number;
            /** @description The highest price of the bar */
            high: number;
            /** @description The lowest price of the bar */
            low: number;
            /** @description The last price of the bar */
            close: number;
            /** @description Price updates in the bar */
            volume: number;
        };
        ListedExport: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            state: "queued" | "running" | "done" | "failed";
            /** @enum {string} */
            what: "ticks" | "bars" | "spreads" | "quotes" | "proofs" | "calendar" | "calendar_revisions";
            /** @description Empty for the calendar */
            symbols: string[];
            /** @description Of bars; null for anything else */
            timeframe: components["schemas"]["Timeframe"] | null;
            /** @description Of ticks; null for anything else */
            resolution: ("1s" | "tick") | null;
            from: components["schemas"]["Timestamp"];
            to: components["schemas"]["Timestamp"];
            /** @enum {string} */
            format: "parquet" | "csv";
            /** @description Null until it runs */
            progress: {
                /** @description Files that are written */
                files: number;
                /** @description Months of symbols that may have rows */
                of: number;
                rows: number;
                bytes: number;
            } | null;
            /** @description Why it failed */
            error: string | null;
            created_at: components["schemas"]["Timestamp"];
            finished_at: components["schemas"]["Timestamp"] | null;
            /** @description When it is removed with its files; null until it is finished */
            expires_at: components["schemas"]["Timestamp"] | null;
            /** @description Files that are written so far */
            file_count: number;
            rows: number;
            /** @description The size of these files together */
            bytes: number;
            /** @description Its GET /v1/export/{export} */
            url: string;
            /** @description With include=files, of exports whose data the plan of the key includes */
            files?: components["schemas"]["ExportFile"][];
        };
        ExportFile: {
            /** @description The name for people */
            name: string;
            /** @description Null for the calendar */
            symbol: string | null;
            /** @description Like 2026-10, UTC */
            month: string;
            /** @description The file has all stored rows from this moment on */
            from: components["schemas"]["Timestamp"];
            /** @description And before this one */
            to: components["schemas"]["Timestamp"];
            /** @description Whether it is the whole month, and that is over */
            complete: boolean;
            rows: number;
            bytes: number;
            sha256: string;
            /** @enum {string} */
            data_mode: "live" | "simulated" | "replay";
            /** @description Needs no key; answers ranges of bytes */
            url: string;
            /** @description The next answer has a new link */
            url_expires_at: components["schemas"]["Timestamp"];
        };
        Export: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            state: "queued" | "running" | "done" | "failed";
            /** @enum {string} */
            what: "ticks" | "bars" | "spreads" | "quotes" | "proofs" | "calendar" | "calendar_revisions";
            /** @description Empty for the calendar */
            symbols: string[];
            /** @description Of bars; null for anything else */
            timeframe: components["schemas"]["Timeframe"] | null;
            /** @description Of ticks; null for anything else */
            resolution: ("1s" | "tick") | null;
            from: components["schemas"]["Timestamp"];
            to: components["schemas"]["Timestamp"];
            /** @enum {string} */
            format: "parquet" | "csv";
            /** @description Null until it runs */
            progress: {
                /** @description Files that are written */
                files: number;
                /** @description Months of symbols that may have rows */
                of: number;
                rows: number;
                bytes: number;
            } | null;
            /** @description Why it failed */
            error: string | null;
            created_at: components["schemas"]["Timestamp"];
            finished_at: components["schemas"]["Timestamp"] | null;
            /** @description When it is removed with its files; null until it is finished */
            expires_at: components["schemas"]["Timestamp"] | null;
            /** @description Once it is done */
            files: components["schemas"]["ExportFile"][];
            /** @description Symbols without rows in the range, and what is stored of them */
            empty: {
                /** @description The canonical name of the instrument */
                symbol: string | null;
                reason: string;
            }[];
        };
        IndicatorDetails: {
            description: string;
            formula: string;
            /** @description Bars needed for the first value */
            warm_up_bars: number;
            /** @description Null where any value is possible; max is null where there is no highest one */
            range: {
                min: number;
                max: number | null;
            } | null;
            aliases: string[];
            /**
             * @description How /v1/indicator answers it
             * @enum {string}
             */
            reading: "flat" | "envelope";
        };
        IndicatorFamily: {
            /** @description What the names of its members begin with */
            name: string;
            /** @description Other names of the family, with the same members */
            aliases: string[];
            /** @description How a member is named: RSI_{period} for RSI_21 */
            pattern: string;
            title: string;
            /**
             * @description The category of the indicators
             * @enum {string}
             */
            category: "trend" | "oscillator" | "volatility" | "volume";
            /** @description In terms of the parameters */
            formula: string;
            /** @description Whose definition it follows */
            source: string;
            parameters: ({
                /** @description The name of the parameter */
                name: string;
                default: number;
                min: number;
                max: number;
                /** @description The most decimals; 0 for whole numbers */
                decimals: number;
            } | {
                /** @description The name of the parameter */
                name: string;
                default: string;
                choices: string[];
            })[];
            /** @description What the parameters have to fulfil together */
            rule: string | null;
            lines: {
                /** @description At the end of a name; empty for a line without one */
                name: string;
                description: string;
            }[];
            /** @description The members with the default parameters */
            examples: string[];
        };
        IndicatorHistory: {
            /** @description The canonical name of the instrument */
            symbol: string;
            /** @description The name of the indicator */
            indicator: string;
            timeframe: components["schemas"]["Timeframe"];
            from: string | null;
            to: string | null;
            /** @description How many there are in this answer */
            count: number;
            /** @description The hours that one answer can span at this timeframe */
            max_window_hours: number;
            series: components["schemas"]["IndicatorPoint"][];
            /**
             * Format: date-time
             * @description Present if the range has more bars than limit: the from of the next call
             */
            next_from?: string;
        };
        IndicatorPoint: {
            /**
             * Format: date-time
             * @description ISO 8601 with Z
             */
            time: string;
            /** @description The value of the indicator */
            value: number | null;
        };
        LatestIndicators: {
            timeframe: components["schemas"]["Timeframe"];
            data: {
                [key: string]: {
                    [key: string]: number | null;
                };
            };
            /** @description When the latest closed bar of each symbol opened; null before its first */
            bar_times: {
                [key: string]: string | null;
            };
            /** @description Unknown symbols, as they were spelled */
            not_found: string[];
            /** @description Unix seconds of the newest quote behind it; 0 before the first */
            updated_at: number;
        };
        PastIndicators: {
            timeframe: components["schemas"]["Timeframe"];
            /** @constant */
            mode: "historical";
            /**
             * Format: date-time
             * @description ISO 8601 with Z
             */
            from: string;
            /**
             * Format: date-time
             * @description ISO 8601 with Z
             */
            to: string;
            /**
             * @description How long bars of this timeframe are stored, null if for ever
             * @example 90 days
             */
            retention: string | null;
            data: {
                [key: string]: ({
                    /**
                     * Format: date-time
                     * @description ISO 8601 with Z
                     */
                    time: string;
                } & {
                    [key: string]: number | null;
                })[];
            };
            /** @description Unknown symbols, as they were spelled */
            not_found: string[];
        };
        ScreenerResult: {
            /** @description The canonical name of the instrument */
            symbol: string;
            /** @description The value of the indicator */
            value: number;
            /** @description The price to sell at */
            bid: number | null;
            /**
             * Format: date-time
             * @description When the latest closed bar opened, ISO 8601 with +00:00
             */
            bar_time: string;
            bar_state: components["schemas"]["BarState"];
        };
        /**
         * @description Whether the bar is the newest that there can be, some bars behind it, or outdated: see X-Bar-State
         * @enum {string}
         */
        BarState: "current" | "behind" | "outdated";
        Summary: {
            /** @description The canonical name of the instrument */
            symbol: string;
            timeframe: components["schemas"]["Timeframe"];
            /**
             * Format: date-time
             * @description When the latest closed bar opened, ISO 8601 with +00:00
             */
            bar_time: string;
            /** @enum {string} */
            bias: "bullish" | "bearish" | "neutral";
            /** @enum {string} */
            bias_strength: "normal" | "strong";
            /** @description How far what was looked at agrees with the bias */
            confidence: number;
            /** @description −100, all bearish, to 100, all bullish */
            trend_score: number;
            /** @description −100 to 100 */
            momentum_score: number;
            /** @description 0 to 100: rank among the latest hundred bars */
            volatility_score: number;
            signals: {
                trend: components["schemas"]["Signal"];
                momentum: components["schemas"]["Signal"];
                /** @enum {string} */
                volatility: "low" | "normal" | "high";
                /** @enum {string} */
                volume: "low" | "normal" | "high";
            };
            /** @description Prices where the market turned before, nearest first */
            key_levels: {
                resistance: number[];
                support: number[];
            };
            bullish_signals: string[];
            bearish_signals: string[];
            neutral_signals: string[];
            volatility_info: string[];
            volume_info: string[];
            summary: string;
            /** @description Observations; none of them is advice */
            recommendations: string[];
            key_values: {
                /** @description The price to sell at */
                bid: number;
                /** @description The price to buy at */
                ask: number;
                rsi_14: number;
                macd_hist: number;
                adx: number;
                atr_14: number;
                sma_20: number;
                sma_50: number;
                /** @description Null below 200 bars */
                sma_200: number | null;
                bb_upper: number;
                bb_lower: number;
                stochastic_k: number;
                mfi_14: number;
            };
            /** @description Unix seconds of the quote */
            updated_at: number;
        };
        SpreadAnalysis: {
            /** @description The canonical name of the instrument */
            symbol: string;
            current: {
                /** @description The ask less the bid, in pips, with as many decimals as a point needs */
                spread_pips: number;
                /** @description Whole points: ten to the pip with 5 digits */
                spread_points: number;
            };
            statistics: {
                /**
                 * @description The time that ends now
                 * @enum {string}
                 */
                period: "1h" | "24h" | "7d" | "30d";
                avg_spread: number;
                min_spread: number;
                max_spread: number;
                /** @description Of the population */
                std_deviation: number;
            };
            /** @description Means over the same period; asian while Sydney or Tokyo is open. Sessions overlap. */
            by_session: {
                asian: number | null;
                london: number | null;
                new_york: number | null;
            };
            percentiles?: components["schemas"]["SpreadPercentiles"];
            /** @description With series=15m: oldest first, without the quarters that have no sample */
            series?: components["schemas"]["SpreadQuarter"][];
        };
        /** @description With include=percentiles: the smallest spread that so many percent of the samples do not exceed */
        SpreadPercentiles: {
            p5: number;
            p25: number;
            p50: number;
            p75: number;
            p95: number;
        };
        SpreadQuarter: {
            /**
             * Format: date-time
             * @description When the quarter of an hour began
             */
            time: string;
            avg: number;
            min: number;
            max: number;
            p5: number;
            p95: number;
        };
        ComparedSpread: {
            /** @description The canonical name of the instrument */
            symbol: string;
            /** @description Null unless has_live_data */
            current_pips: number | null;
            /** @description Null, as the two that follow, when nothing was recorded in the period */
            avg_pips: number | null;
            min_pips: number | null;
            max_pips: number | null;
            /** @description Whether there is a quote that is not stale, of a market that is open */
            has_live_data: boolean;
            /** @description With by=source: every source's own spreads */
            sources?: components["schemas"]["SourceSpread"][];
        };
        SourceSpread: {
            /** @description The source of the data */
            source: string;
            /** @description When the first minute that the source's figures count began: later than the period, and than the symbol's own figures, where the source was not recorded before */
            since: string | null;
            /** @description Null unless has_live_data */
            current_pips: number | null;
            /** @description Null, as the two that follow, when nothing was recorded in the period */
            avg_pips: number | null;
            min_pips: number | null;
            max_pips: number | null;
            /** @description Whether there is a quote that is not stale, of a market that is open */
            has_live_data: boolean;
        };
        QualityDay: {
            /**
             * Format: date
             * @description The day, in UTC
             */
            date: string;
            /** @description Of the prices that were served; null for days before the first judged hour */
            condition: components["schemas"]["QualityCondition"] | null;
            /** @description Seconds with an open market in the hours that are judged */
            expected_seconds: number;
            /** @description Those in which a source had a price that was not stale */
            served_seconds: number;
            /** @description Rows of /v1/ticks of the day until judged_until */
            recorded_seconds: number;
            /** @description served_seconds in percent of expected_seconds; null if none is expected */
            completeness: number | null;
            sources: components["schemas"]["QualitySource"][];
        };
        /**
         * @description complete: at least 98 % of the open time is covered, and of a source at most 1 % of its compared minutes are at fault; degraded: less; missing: nothing; pending: the day is not over, or not judged; closed: the market was closed all day
         * @enum {string}
         */
        QualityCondition: "complete" | "degraded" | "missing" | "pending" | "closed";
        QualitySource: {
            /** @description The source of the data */
            source: string;
            condition: components["schemas"]["QualityCondition"];
            /** @description Seconds with an open market in which its prices were expected */
            expected_seconds: number;
            /** @description Those that are in no gap */
            covered_seconds: number;
            /** @description Those in which it sent a price */
            updated_seconds: number;
            /** @description covered_seconds in percent of expected_seconds; null if none is expected */
            completeness: number | null;
            /** @description Percent of the served seconds that were served from it */
            served_share: number | null;
            gap_count: number;
            longest_gap_seconds: number;
            /** @description How far its mid was from that of the other sources; null without another source */
            disagreement: {
                median_pips: number;
                p99_pips: number;
                /** @description The longest time in a row in which it was apart from all others */
                longest_seconds: number;
            } | null;
            /** @description How many minutes have each verdict */
            minutes: {
                closed: number;
                gap: number;
                stale: number;
                lag: number;
                off: number;
                spike: number;
                alone: number;
                agrees: number;
            };
            spike_count: number;
            /** @description M1 bars that another source has as well */
            compared_bars: number;
            /** @description Those of them that differ from all others by more than the tolerance */
            differing_bars: number;
            /** @description Ticks that were refused, by reason */
            refused: {
                [key: string]: number;
            };
            /** @description How far its clock was behind, negative if ahead: the median; null where it is not known */
            clock_offset_ms: number | null;
            /** @description With include=detail */
            gaps?: {
                /**
                 * Format: date-time
                 * @description ISO 8601 with +00:00
                 */
                from: string;
                /**
                 * Format: date-time
                 * @description ISO 8601 with +00:00
                 */
                to: string;
                seconds: number;
                /**
                 * @description As in source_gaps of /v1/ticks, or silent: it was connected and sent nothing
                 * @enum {string}
                 */
                reason: "disconnected" | "paused" | "reloaded" | "stopped" | "silent";
            }[];
            /** @description With include=detail: minutes in a row with a verdict other than agrees and closed */
            verdicts?: {
                /**
                 * Format: date-time
                 * @description ISO 8601 with +00:00
                 */
                from: string;
                /**
                 * Format: date-time
                 * @description ISO 8601 with +00:00
                 */
                to: string;
                /** @enum {string} */
                verdict: "closed" | "gap" | "stale" | "lag" | "off" | "spike" | "alone" | "agrees";
            }[];
            /** @description With include=detail: spikes that a second ended with */
            spikes?: {
                /**
                 * Format: date-time
                 * @description ISO 8601 with +00:00
                 */
                from: string;
                /**
                 * Format: date-time
                 * @description ISO 8601 with +00:00
                 */
                to: string;
                /** @description Its greatest distance from all others, below zero if it was under them */
                size_pips: number;
            }[];
        };
        QualityResult: {
            /** @description The canonical name of the instrument */
            symbol: string;
            /** @description The source of the data */
            source: string;
            condition: components["schemas"]["QualityCondition"];
            /** @description covered_seconds in percent of expected_seconds; null if none is expected */
            completeness: number | null;
            expected_seconds: number;
            covered_seconds: number;
            /** @description Minutes that were compared with another source */
            compared_minutes: number;
            /** @description Those of them that are stale, lag, off or spike */
            faulty_minutes: number;
        };
        Session: {
            /**
             * @description How it is
             * @constant
             */
            status: "open";
            closes_in: string;
            /** @description Whether Friday 22:00 to Sunday 22:00 UTC keeps it closed */
            weekend: boolean;
        } | {
            /**
             * @description How it is
             * @constant
             */
            status: "closed";
            /** @description Until the session's own next opening, over weekends and holidays. The market opens with Sydney. */
            opens_in: string;
            /** @description Whether Friday 22:00 to Sunday 22:00 UTC keeps it closed */
            weekend: boolean;
        };
        StrengthHeatmap: {
            /** @constant */
            type: "strength";
            /**
             * @description The length of the bars
             * @enum {string}
             */
            timeframe: "H1" | "H4" | "D1" | "W1";
            currencies: {
                USD: components["schemas"]["CurrencyStrength"];
                EUR: components["schemas"]["CurrencyStrength"];
                GBP: components["schemas"]["CurrencyStrength"];
                JPY: components["schemas"]["CurrencyStrength"];
                CHF: components["schemas"]["CurrencyStrength"];
                AUD: components["schemas"]["CurrencyStrength"];
                CAD: components["schemas"]["CurrencyStrength"];
                NZD: components["schemas"]["CurrencyStrength"];
            };
            /** @description null while all are equally strong */
            strongest: ("USD" | "EUR" | "GBP" | "JPY" | "CHF" | "AUD" | "CAD" | "NZD") | null;
            weakest: ("USD" | "EUR" | "GBP" | "JPY" | "CHF" | "AUD" | "CAD" | "NZD") | null;
            /** @description Strength of the strongest less that of the weakest */
            range: number;
            /** @description When the latest closed bar ended */
            timestamp: components["schemas"]["Timestamp"];
        };
        CurrencyStrength: {
            /** @description 0 extremely weak, 10 extremely strong, about 5 neutral */
            strength: number;
            /** @enum {string} */
            trend: "bullish" | "bearish" | "neutral";
            /** @description Change of strength over the last bar */
            change: number;
            pairs_analyzed: number;
        };
        CorrelationHeatmap: {
            /** @constant */
            type: "correlation";
            /**
             * @description The length of the bars
             * @enum {string}
             */
            timeframe: "H1" | "H4" | "D1" | "W1";
            /** @description Each currency or symbol with every other and itself */
            correlation_matrix: {
                [key: string]: {
                    [key: string]: number | null;
                };
            };
            /** @constant */
            available: true;
            /** @description Bars behind the coefficient that has the fewest */
            bars: number;
            /** @description When the latest closed bar ended */
            timestamp: components["schemas"]["Timestamp"];
        };
        CalendarEvent: {
            /** @description Opaque; stays through polls, revisions and moved dates */
            id: string;
            /** @description ISO 8601 with the offset +00:00 */
            datetime: string;
            /** @description The code of the currency */
            currency: string;
            /** @description What happens */
            event: string;
            /**
             * @description How much the event usually moves prices
             * @enum {string}
             */
            impact: "high" | "medium" | "low";
            /** @description Consensus; empty when there is none */
            forecast: string;
            /** @description The figure of the release before */
            previous: string;
            /** @description Set at the moment of release: on primary rows, and for plans that include it */
            actual: string | null;
            /**
             * @description The source of the data
             * @enum {string}
             */
            source: "primary" | "secondary";
            /** @description Groups the releases of one indicator; null on secondary rows */
            series_id: string | null;
            /** @description include=numeric */
            forecast_value?: number | null;
            /** @description include=numeric */
            previous_value?: number | null;
            /** @description include=numeric */
            actual_value?: number | null;
            /** @description include=numeric */
            unit?: ("%" | "") | null;
            /** @description include=revised: what the previous reading was revised to */
            revised_previous?: string | null;
            /**
             * @description include=certainty
             * @enum {string}
             */
            certainty?: "exact" | "tentative" | "all_day";
            /** @description include=certainty */
            source_time_zone?: string;
            /** @description include=history: every change since the row was first received, oldest first */
            history?: components["schemas"]["CalendarChange"][];
        };
        CalendarChange: {
            at: string;
            origin: string;
            field: string;
            before: string | null;
            after: string | null;
        };
        NewsWindow: {
            from: string;
            /** @description The first moment after the window */
            to: string;
            events: components["schemas"]["CalendarEvent"][];
        };
        Alert: {
            /** Format: uuid */
            id: string;
            /** @description The name for people */
            name: string;
            condition: components["schemas"]["AlertCondition"];
            /** @description Whether it can fire */
            active: boolean;
            /** @description The seconds after a firing in which it does not fire again; null fires once */
            cooldown_seconds: number | null;
            /** @description The webhook that it is sent to; null for none */
            webhook_id: string | null;
            /** @description Whether it is mailed to the account */
            mail: boolean;
            /** @description Whether it is pushed to the devices of the account */
            push: boolean;
            /** @description How often it has fired */
            firings: number;
            last_fired_at: components["schemas"]["Timestamp"] | null;
            created_at: components["schemas"]["Timestamp"];
        };
        AlertCondition: components["schemas"]["PriceCondition"] | components["schemas"]["LineCondition"] | components["schemas"]["MoveCondition"] | components["schemas"]["IndicatorCondition"] | components["schemas"]["SpreadCondition"] | components["schemas"]["StateCondition"] | components["schemas"]["CompletenessCondition"] | components["schemas"]["ReleaseCondition"] | components["schemas"]["UpcomingCondition"];
        /** @description The price crosses a level */
        PriceCondition: {
            /** @constant */
            type: "price";
            /**
             * @description Trading symbol; any broker's spelling is resolved
             * @example EURUSD
             */
            symbol: string;
            level: number;
            /**
             * @description The direction of the price that counts
             * @default either
             * @enum {string}
             */
            direction: "up" | "down" | "either";
            /**
             * @description The price that is compared with the level
             * @default bid
             * @enum {string}
             */
            price: "bid" | "ask" | "mid";
        };
        /** @description The price crosses a line, whose level moves with time */
        LineCondition: {
            /** @constant */
            type: "line";
            /**
             * @description Trading symbol; any broker's spelling is resolved
             * @example EURUSD
             */
            symbol: string;
            /** @description The earlier point of the line */
            from: components["schemas"]["LinePoint"];
            /** @description The later point of the line */
            to: components["schemas"]["LinePoint"];
            /**
             * @description Beyond which points the line goes on. Where it ends at `to`, the alert ends with it
             * @default right
             * @enum {string}
             */
            extend: "none" | "right" | "left" | "both";
            /**
             * @description The chart on which the line is straight: its bars are counted, and closed hours are not
             * @default H1
             */
            timeframe: string;
            /**
             * @description Whether the line is straight in prices or in their logarithms
             * @default linear
             * @enum {string}
             */
            scale: "linear" | "log";
            /**
             * @description The direction of the price that counts
             * @default either
             * @enum {string}
             */
            direction: "up" | "down" | "either";
            /**
             * @description The price that is compared with the level of the line at that moment
             * @default bid
             * @enum {string}
             */
            price: "bid" | "ask" | "mid";
            /**
             * @description The line on the chart of the symbol that it moves with; null for none
             * @default null
             */
            drawing: string | null;
        };
        LinePoint: {
            /**
             * @description ISO 8601, UTC without an offset
             * @example 2026-01-15T12:00:00.000Z
             */
            time: string;
            price: number;
        };
        /** @description The bid moves by a percentage within a window */
        MoveCondition: {
            /** @constant */
            type: "move";
            /**
             * @description Trading symbol; any broker's spelling is resolved
             * @example EURUSD
             */
            symbol: string;
            /** @description How far the bid must be from its lowest or highest of the window */
            percent: number;
            /** @description The length of the window */
            minutes: number;
            /**
             * @description The direction of the price that counts
             * @default either
             * @enum {string}
             */
            direction: "up" | "down" | "either";
        };
        /** @description At a closed bar, an indicator has crossed a value or another indicator since the bar before */
        IndicatorCondition: {
            /** @constant */
            type: "indicator";
            /**
             * @description Trading symbol; any broker's spelling is resolved
             * @example EURUSD
             */
            symbol: string;
            /**
             * @description The length of the bars, from a minute on
             * @default H1
             */
            timeframe: string;
            /** @description An indicator, such as RSI_14 or EMA_34, or close: the close of the bar */
            indicator: string;
            /**
             * @description The direction of the price that counts
             * @default either
             * @enum {string}
             */
            direction: "up" | "down" | "either";
            /**
             * @description The value that is crossed; null with against
             * @default null
             */
            level: number | null;
            /**
             * @description The indicator that is crossed, or close; null with level
             * @default null
             */
            against: string | null;
        };
        /** @description The spread is above its 95th percentile of the last seven days */
        SpreadCondition: {
            /** @constant */
            type: "spread";
            /**
             * @description Trading symbol; any broker's spelling is resolved
             * @example EURUSD
             */
            symbol: string;
        };
        /** @description The quote changes to one of these states */
        StateCondition: {
            /** @constant */
            type: "state";
            /**
             * @description Trading symbol; any broker's spelling is resolved
             * @example EURUSD
             */
            symbol: string;
            states: ("live" | "stale" | "closed")[];
        };
        /** @description A day has too few prices. It fires once for each day and source, after the hour that decides it */
        CompletenessCondition: {
            /** @constant */
            type: "completeness";
            /**
             * @description Trading symbol; any broker's spelling is resolved
             * @example EURUSD
             */
            symbol: string;
            /**
             * @description A source, * for each of them by itself, or null for the prices that were served
             * @default null
             */
            source: string | null;
            /** @description The least completeness of a UTC day, as of /v1/quality */
            percent: number;
        };
        /** @description The figure of an economic event is published */
        ReleaseCondition: {
            /** @constant */
            type: "release";
            /**
             * @description Codes such as USD; an empty list is all
             * @default []
             */
            currencies: string[];
            /**
             * @description An empty list is all
             * @default []
             */
            impacts: ("high" | "medium" | "low")[];
            /**
             * @description A part of the title, in any case; an empty text is all
             * @default
             */
            search: string;
        };
        /** @description An economic event is due */
        UpcomingCondition: {
            /** @constant */
            type: "upcoming";
            /** @description How long before the event */
            minutes: number;
            /**
             * @description Codes such as USD; an empty list is all
             * @default []
             */
            currencies: string[];
            /**
             * @description An empty list is all
             * @default []
             */
            impacts: ("high" | "medium" | "low")[];
            /**
             * @description A part of the title, in any case; an empty text is all
             * @default
             */
            search: string;
        };
        NewAlertCondition: components["schemas"]["NewPriceCondition"] | components["schemas"]["NewLineCondition"] | components["schemas"]["NewMoveCondition"] | components["schemas"]["NewIndicatorCondition"] | components["schemas"]["NewSpreadCondition"] | components["schemas"]["NewStateCondition"] | components["schemas"]["NewCompletenessCondition"] | components["schemas"]["NewReleaseCondition"] | components["schemas"]["NewUpcomingCondition"];
        /** @description The price crosses a level */
        NewPriceCondition: {
            /** @constant */
            type: "price";
            /**
             * @description Trading symbol; any broker's spelling is resolved
             * @example EURUSD
             */
            symbol: string;
            level: number;
            /**
             * @description The direction of the price that counts
             * @default either
             * @enum {string}
             */
            direction?: "up" | "down" | "either";
            /**
             * @description The price that is compared with the level
             * @default bid
             * @enum {string}
             */
            price?: "bid" | "ask" | "mid";
        };
        /** @description The price crosses a line, whose level moves with time */
        NewLineCondition: {
            /** @constant */
            type: "line";
            /**
             * @description Trading symbol; any broker's spelling is resolved
             * @example EURUSD
             */
            symbol: string;
            /** @description The earlier point of the line */
            from: components["schemas"]["LinePoint"];
            /** @description The later point of the line */
            to: components["schemas"]["LinePoint"];
            /**
             * @description Beyond which points the line goes on. Where it ends at `to`, the alert ends with it
             * @default right
             * @enum {string}
             */
            extend?: "none" | "right" | "left" | "both";
            /**
             * @description The chart on which the line is straight: its bars are counted, and closed hours are not
             * @default H1
             */
            timeframe?: string;
            /**
             * @description Whether the line is straight in prices or in their logarithms
             * @default linear
             * @enum {string}
             */
            scale?: "linear" | "log";
            /**
             * @description The direction of the price that counts
             * @default either
             * @enum {string}
             */
            direction?: "up" | "down" | "either";
            /**
             * @description The price that is compared with the level of the line at that moment
             * @default bid
             * @enum {string}
             */
            price?: "bid" | "ask" | "mid";
            /**
             * @description The line on the chart of the symbol that it moves with; null for none
             * @default null
             */
            drawing?: string | null;
        };
        /** @description The bid moves by a percentage within a window */
        NewMoveCondition: {
            /** @constant */
            type: "move";
            /**
             * @description Trading symbol; any broker's spelling is resolved
             * @example EURUSD
             */
            symbol: string;
            /** @description How far the bid must be from its lowest or highest of the window */
            percent: number;
            /** @description The length of the window */
            minutes: number;
            /**
             * @description The direction of the price that counts
             * @default either
             * @enum {string}
             */
            direction?: "up" | "down" | "either";
        };
        /** @description At a closed bar, an indicator has crossed a value or another indicator since the bar before */
        NewIndicatorCondition: {
            /** @constant */
            type: "indicator";
            /**
             * @description Trading symbol; any broker's spelling is resolved
             * @example EURUSD
             */
            symbol: string;
            /**
             * @description The length of the bars, from a minute on
             * @default H1
             */
            timeframe?: string;
            /** @description An indicator, such as RSI_14 or EMA_34, or close: the close of the bar */
            indicator: string;
            /**
             * @description The direction of the price that counts
             * @default either
             * @enum {string}
             */
            direction?: "up" | "down" | "either";
            /**
             * @description The value that is crossed; null with against
             * @default null
             */
            level?: number | null;
            /**
             * @description The indicator that is crossed, or close; null with level
             * @default null
             */
            against?: string | null;
        };
        /** @description The spread is above its 95th percentile of the last seven days */
        NewSpreadCondition: {
            /** @constant */
            type: "spread";
            /**
             * @description Trading symbol; any broker's spelling is resolved
             * @example EURUSD
             */
            symbol: string;
        };
        /** @description The quote changes to one of these states */
        NewStateCondition: {
            /** @constant */
            type: "state";
            /**
             * @description Trading symbol; any broker's spelling is resolved
             * @example EURUSD
             */
            symbol: string;
            states: ("live" | "stale" | "closed")[];
        };
        /** @description A day has too few prices. It fires once for each day and source, after the hour that decides it */
        NewCompletenessCondition: {
            /** @constant */
            type: "completeness";
            /**
             * @description Trading symbol; any broker's spelling is resolved
             * @example EURUSD
             */
            symbol: string;
            /**
             * @description A source, * for each of them by itself, or null for the prices that were served
             * @default null
             */
            source?: string | null;
            /** @description The least completeness of a UTC day, as of /v1/quality */
            percent: number;
        };
        /** @description The figure of an economic event is published */
        NewReleaseCondition: {
            /** @constant */
            type: "release";
            /**
             * @description Codes such as USD; an empty list is all
             * @default []
             */
            currencies?: string[];
            /**
             * @description An empty list is all
             * @default []
             */
            impacts?: ("high" | "medium" | "low")[];
            /**
             * @description A part of the title, in any case; an empty text is all
             * @default
             */
            search?: string;
        };
        /** @description An economic event is due */
        NewUpcomingCondition: {
            /** @constant */
            type: "upcoming";
            /** @description How long before the event */
            minutes: number;
            /**
             * @description Codes such as USD; an empty list is all
             * @default []
             */
            currencies?: string[];
            /**
             * @description An empty list is all
             * @default []
             */
            impacts?: ("high" | "medium" | "low")[];
            /**
             * @description A part of the title, in any case; an empty text is all
             * @default
             */
            search?: string;
        };
        AlertWithLog: {
            /** Format: uuid */
            id: string;
            /** @description The name for people */
            name: string;
            condition: components["schemas"]["AlertCondition"];
            /** @description Whether it can fire */
            active: boolean;
            /** @description The seconds after a firing in which it does not fire again; null fires once */
            cooldown_seconds: number | null;
            /** @description The webhook that it is sent to; null for none */
            webhook_id: string | null;
            /** @description Whether it is mailed to the account */
            mail: boolean;
            /** @description Whether it is pushed to the devices of the account */
            push: boolean;
            /** @description How often it has fired */
            firings: number;
            last_fired_at: components["schemas"]["Timestamp"] | null;
            created_at: components["schemas"]["Timestamp"];
            /** @description The latest 50 firings of the last 30 days, newest first */
            log: components["schemas"]["AlertFiring"][];
        };
        AlertFiring: {
            /**
             * Format: uuid
             * @description The webhook-id of its message
             */
            id: string;
            at: components["schemas"]["Timestamp"];
            message: string;
            deliveries: components["schemas"]["AlertDelivery"][];
        };
        AlertDelivery: {
            /** @enum {string} */
            channel: "webhook" | "mail" | "push";
            /** @enum {string} */
            state: "pending" | "delivered" | "failed";
            tries: number;
            /** @description The end of the last try */
            last_at: components["schemas"]["Timestamp"] | null;
            /** @description When it is tried next; null once it has ended */
            next_at: components["schemas"]["Timestamp"] | null;
            duration_ms: number | null;
            /** @description The HTTP status of the receiver */
            response_status: number | null;
            /** @description The beginning of the receiver's answer */
            response_text: string | null;
            /** @description Why there was no answer, or what a chat's refusal means */
            error: string | null;
        };
        Webhook: {
            /** Format: uuid */
            id: string;
            /** @description The name for people */
            name: string;
            /**
             * @description What it speaks: signed JSON, or the format of a chat
             * @enum {string}
             */
            kind: "signed" | "telegram" | "discord" | "slack";
            /** @description Without its last part if the address itself is a secret: discord and slack */
            url: string;
            /** @description Of telegram: the chat */
            chat: string | null;
            created_at: components["schemas"]["Timestamp"];
        };
        NewWebhook: {
            /** Format: uuid */
            id: string;
            /** @description The name for people */
            name: string;
            /**
             * @description What it speaks: signed JSON, or the format of a chat
             * @enum {string}
             */
            kind: "signed" | "telegram" | "discord" | "slack";
            /** @description Without its last part if the address itself is a secret: discord and slack */
            url: string;
            /** @description Of telegram: the chat */
            chat: string | null;
            created_at: components["schemas"]["Timestamp"];
            /** @description Verifies the signatures of its messages. It is not shown again. Null for chats, which have their own */
            secret: string | null;
        };
        Account: {
            /** @description The account's e-mail address; only its first letter for a key without the scope "all" */
            name: string;
            /**
             * @description The plan that this key is served under
             * @enum {string}
             */
            plan: "free" | "trial" | "payg" | "starter" | "pro" | "enterprise" | "tool";
            /** @description What is left of the credits paid in advance, up to a second late; below zero is owed */
            prepaid_credits: number;
            /** @description Calls a day; null without a limit */
            daily_quota: number | null;
            /** @description Calls counted today, this one included */
            daily_used: number;
            /** @description What those calls cost, by the weights of their endpoints */
            credits_used: number;
            /** @description The next midnight UTC */
            resets_at: components["schemas"]["Timestamp"];
            key: components["schemas"]["KeyTerms"];
        };
        KeyTerms: {
            label: string;
            scopes: ("quotes" | "indicators" | "historical" | "premium" | "all" | "alerts")[];
            /** @description The only endpoints that it may call, as far as its scopes open them; null for all of them */
            endpoints: string[] | null;
            /** @description The only categories and symbols that it may read; null for all */
            symbols: string[] | null;
            /** @description Requests a minute; null without a limit */
            per_minute: number | null;
            /** @description The key's own limit of calls a day; null without one */
            per_day: number | null;
            /** @description Calls counted against per_day, this one included */
            used_today: number | null;
            expires_at: components["schemas"]["Timestamp"] | null;
        };
        Health: {
            /**
             * @description How it is
             * @enum {string}
             */
            status: "ok" | "degraded" | "down";
            components: {
                [key: string]: {
                    /**
                     * @description How it is
                     * @enum {string}
                     */
                    status: "ok" | "degraded" | "down";
                    behind_ms?: number;
                    behind_changes?: number;
                };
            };
        };
    };
    responses: {
        /** @description MISSING_API_KEY, INVALID_API_KEY, API_KEY_DISABLED, API_KEY_EXPIRED */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                traceparent: components["headers"]["traceparent"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description URI_TOO_LONG */
        URITooLong: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                traceparent: components["headers"]["traceparent"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description RATE_LIMIT_EXCEEDED, QUOTA_EXCEEDED */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                traceparent: components["headers"]["traceparent"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description INTERNAL_ERROR */
        InternalServerError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                traceparent: components["headers"]["traceparent"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description SERVICE_UNAVAILABLE */
        ServiceUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                traceparent: components["headers"]["traceparent"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description PAYLOAD_TOO_LARGE */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                traceparent: components["headers"]["traceparent"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description UNSUPPORTED_MEDIA_TYPE */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                traceparent: components["headers"]["traceparent"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description The id of this call: 32 hexadecimal characters, which the request log has too, or the X-Request-Id of the caller if that has at most 64 letters, digits and . _ : -. The server's log has both.
         * @example 5f1c0f4e9a1b4c7d8e2f3a4b5c6d7e8f
         */
        "X-Request-Id": string;
        /**
         * @description The traceparent of the call (W3C Trace Context), if it has a valid one.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent: string;
        /**
         * @description The calls that the key may make in its window: a minute, or its own day once that is used up.
         * @example 600
         */
        "X-RateLimit-Limit": number;
        /**
         * @description The calls that are left in the window.
         * @example 599
         */
        "X-RateLimit-Remaining": number;
        /**
         * @description Seconds until the window ends.
         * @example 42
         */
        "X-RateLimit-Reset": number;
        /**
         * @description The same in the form of the IETF draft: the window, the calls left, and the seconds until it ends.
         * @example "minute";r=599;t=42
         */
        RateLimit: string;
        /**
         * @description The limit in the form of the IETF draft: the window, its calls, and its length in seconds.
         * @example "minute";q=600;w=60
         */
        "RateLimit-Policy": string;
        /**
         * @description The parameters and fields of the call that the endpoint does not have, percent-encoded.
         * @example colour
         */
        "X-Ignored-Params": string;
        /**
         * @description How far the price may be trusted; of several prices the worst.
         * @example live
         */
        "X-Quote-State": "live" | "delayed" | "stale" | "closed";
        /**
         * @description The age of the price in milliseconds; of several prices that of the oldest.
         * @example 184
         */
        "X-Quote-Age-Ms": number;
        /**
         * @description Present only if the data is not live. as-of: the answer is that of a moment of the past.
         * @example simulated
         */
        "X-Data-Mode": "simulated" | "replay" | "as-of";
        /**
         * @description Present with at only: the second whose answer this is.
         * @example 2026-11-20T13:00:00+00:00
         */
        "X-As-Of": string;
        /**
         * @description Present with at only: how finely the prices behind the answer were recorded, in words, and whether they were simulated or replayed.
         * @example the last price of each source in each second
         */
        "X-As-Of-Resolution": string;
        /**
         * @description How many rows there are, and how many there would be without gaps. In exports of every tick, how many seconds ticks were kept in, and how many there are.
         * @example 58/60
         */
        "X-Coverage": string;
        /**
         * @description Where an answer with every tick ends before its range: from of the next page.
         * @example 2026-11-20T13:42:10.123+00:00
         */
        "X-Next-From": string;
        /**
         * @description Present only if the latest closed bar is not the newest that there can be: behind it, or outdated, which is more than 60 bars of M1, 10 of D1, 4 of W1 or MN1, an hour of shorter bars or 20 of another timeframe behind. Of several symbols the worst.
         * @example outdated
         */
        "X-Bar-State": "behind" | "outdated";
        /**
         * @description Present only if bars are missing that the market had, among the latest 400 bars or those of the range: more than 20 (60 of M1) and more than the indicator's warm-up. Values are computed from the bars after them. Up to ten, each as symbol=from/to.
         * @example EURUSD=2025-06-30T21:00:00Z/2026-11-27T14:00:00Z
         */
        "X-Bar-Holes": string;
        /**
         * @description Names this version of the answer, weakly if it is compressed. Sent back in If-None-Match, it saves an unchanged answer.
         * @example "9a1b4c7d8e2f3a4b"
         */
        ETag: string;
        /**
         * @description The path at which the state of what was begun is.
         * @example /v1/export/5b0c8f0e-3b5a-4d0e-9c0a-2f1f6c1c7a55
         */
        Location: string;
        /**
         * @description Ranges of bytes are answered.
         * @example bytes
         */
        "Accept-Ranges": "bytes";
        /**
         * @description The call that answers the rest of the range, with rel=next (RFC 8288).
         * @example </v1/ohlc?symbol=EURUSD&from=2026-11-20T13%3A00%3A00%2B00%3A00>; rel="next"
         */
        Link: string;
        /**
         * @description How to authenticate: with a key in the header X-API-Key.
         * @example ApiKey realm="Spotline", header="X-API-Key"
         */
        "WWW-Authenticate": string;
        /**
         * @description Seconds to wait before the next call.
         * @example 18
         */
        "Retry-After": number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getQuote: {
        parameters: {
            query: {
                /**
                 * @description Trading symbol; any broker's spelling is resolved.
                 * @example EURUSD
                 */
                symbol: string;
                /** @description Adds best_bid, best_ask, best_spread, source_count and every source's own quote. */
                include_sources?: boolean;
                /** @description Forces one broker source, however old its price is. */
                source?: string;
                /** @description How the answer is written. Without it the Accept header decides; JSON is the default. */
                format?: "json" | "csv";
                /**
                 * @description Answers as at this second of the past, from what was recorded until then. Costs 3 credits, and needs the scope and the plan of /v1/ticks as well.
                 * @example 2026-11-20T13:00:00Z
                 */
                at?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    "X-Quote-State": components["headers"]["X-Quote-State"];
                    "X-Quote-Age-Ms": components["headers"]["X-Quote-Age-Ms"];
                    "X-Data-Mode": components["headers"]["X-Data-Mode"];
                    "X-As-Of": components["headers"]["X-As-Of"];
                    "X-As-Of-Resolution": components["headers"]["X-As-Of-Resolution"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Quote"] | components["schemas"]["QuoteWithSources"];
                    };
                    /** @example symbol,bid,ask,spread,spread_pips,timestamp,source */
                    "text/csv": string;
                };
            };
            /** @description VALIDATION_ERROR, INVALID_DATETIME, INVALID_SYMBOL */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED, PLAN_UPGRADE_REQUIRED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description DATA_NOT_FOUND, SYMBOL_NOT_FOUND, SOURCE_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    postQuotes: {
        parameters: {
            query?: {
                /** @description flat answers quotes, count, not_found and timestamp at the top level. */
                envelope?: "data" | "flat";
                /** @description How the answer is written. Without it the Accept header decides; JSON is the default. */
                format?: "json" | "csv";
                /**
                 * @description Answers as at this second of the past, from what was recorded until then. Costs 3 credits, and needs the scope and the plan of /v1/ticks as well.
                 * @example 2026-11-20T13:00:00Z
                 */
                at?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    symbols: string[];
                    fields?: ("bid" | "ask" | "spread" | "spread_pips" | "timestamp" | "source")[];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    "X-Quote-State": components["headers"]["X-Quote-State"];
                    "X-Quote-Age-Ms": components["headers"]["X-Quote-Age-Ms"];
                    "X-Data-Mode": components["headers"]["X-Data-Mode"];
                    "X-As-Of": components["headers"]["X-As-Of"];
                    "X-As-Of-Resolution": components["headers"]["X-As-Of-Resolution"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Quotes"];
                    } | {
                        /** @constant */
                        success: true;
                        quotes: components["schemas"]["QuoteFields"][];
                        /** @description How many there are in this answer */
                        count: number;
                        /** @description What was asked for and does not exist */
                        not_found: string[];
                        /** @description Latest update of the data; never the response time */
                        timestamp: components["schemas"]["Timestamp"] | "";
                    };
                    /** @example symbol,bid,ask,spread,spread_pips,timestamp,source */
                    "text/csv": string;
                };
            };
            /** @description VALIDATION_ERROR, INVALID_DATETIME, INVALID_REQUEST, TOO_MANY_SYMBOLS */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED, PLAN_UPGRADE_REQUIRED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description DATA_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSymbols: {
        parameters: {
            query?: {
                /** @description An unknown category has no symbols. */
                category?: "forex" | "metals" | "commodities" | "indices" | "crypto" | "stocks";
                /** @description Part of the symbol or the name, in any case, or any spelling of a symbol or alias, such as EUR/USD. */
                search?: string;
                offset?: number;
                limit?: number;
                /** @description How the answer is written. Without it the Accept header decides; JSON is the default. */
                format?: "json" | "csv";
                /**
                 * @description Answers as at this second of the past, from what was recorded until then. Costs 3 credits, and needs the scope and the plan of /v1/ticks as well.
                 * @example 2026-11-20T13:00:00Z
                 */
                at?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    ETag: components["headers"]["ETag"];
                    "X-Data-Mode": components["headers"]["X-Data-Mode"];
                    "X-As-Of": components["headers"]["X-As-Of"];
                    "X-As-Of-Resolution": components["headers"]["X-As-Of-Resolution"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            symbols: components["schemas"]["SymbolSummary"][];
                            /** @description How many there are on all pages */
                            total: number;
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                    /** @example symbol,name,category,base_currency,quote_currency,digits,tradable */
                    "text/csv": string;
                };
            };
            /** @description Not changed since the ETag of If-None-Match */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR, INVALID_DATETIME */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED, PLAN_UPGRADE_REQUIRED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description DATA_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSymbolsSymbol: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Trading symbol; any broker's spelling is resolved.
                 * @example EURUSD
                 */
                symbol: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["SymbolDetails"];
                    };
                };
            };
            /** @description Not changed since the ETag of If-None-Match */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR, INVALID_SYMBOL */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SYMBOL_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getStream: {
        parameters: {
            query?: {
                /** @description Trading symbols, separated by commas; every symbol that the key may read when left out, also those that are added later. */
                symbols?: string[];
                /** @description The fields of each quote beside its symbol, some of bid, ask, spread, spread_pips, timestamp, source; all when left out. */
                fields?: string;
                /** @description all, or names of sources: each source’s own quotes and states in place of the served ones. */
                sources?: string;
                /** @description 1s adds the bar of each second in which a price came, once it is over. */
                bars?: "1s";
                /** @description Adds each released figure of the calendar: all, or those of some impacts (high, medium, low) and currencies. */
                events?: string;
                /**
                 * @description Begins with what was recorded from this second on, in the live format. It costs 3 credits, and as many for each further minute until the stream is live; it needs the scope and the plan of /v1/ticks as well.
                 * @example 2026-11-20T13:00:00Z
                 */
                from?: string;
                /**
                 * @description The end of the range, itself not in it. Left out or in the future, the stream becomes live at its end.
                 * @example 2026-11-20T13:00:00Z
                 */
                to?: string;
                /**
                 * @description Recorded seconds in each second, 1 for the pace of then; max, as fast as the client reads, by default.
                 * @example max
                 */
                speed?: string;
                /** @description 1s for the last price of each second, by default; tick for every tick of the symbols of which the server keeps them, with its millisecond, in the order of receipt, and seconds of the others. */
                resolution?: "1s" | "tick";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description VALIDATION_ERROR, NO_SYMBOLS, TOO_MANY_SYMBOLS, INVALID_DATETIME, INVALID_RANGE, INVALID_SYMBOL */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED, PLAN_UPGRADE_REQUIRED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description DATA_NOT_FOUND, SYMBOL_NOT_FOUND, SOURCE_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            /** @description RATE_LIMIT_EXCEEDED, QUOTA_EXCEEDED, TOO_MANY_STREAMS */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getIndicator: {
        parameters: {
            query: {
                /**
                 * @description Trading symbol; any broker's spelling is resolved.
                 * @example EURUSD
                 */
                symbol: string;
                /** @description A name of /v1/indicators/list, or a family with its parameters, such as RSI_21, EMA_34 or BBands_20_2.5_upper: /v1/indicators/list?include=families has all families. */
                indicator: string;
                /** @description Required by the flat readings; H1 for all others. */
                timeframe?: string;
                /** @description Flat readings only, 1 without it. More than one adds a series. */
                bars?: number;
                /** @description Has bid, ask and age come from one broker source. */
                source?: string;
                /**
                 * @description Answers as at this second of the past, from what was recorded until then. Costs 3 credits, and needs the scope and the plan of /v1/ticks as well.
                 * @example 2026-11-20T13:00:00Z
                 */
                at?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    "X-Quote-State": components["headers"]["X-Quote-State"];
                    "X-Quote-Age-Ms": components["headers"]["X-Quote-Age-Ms"];
                    "X-Data-Mode": components["headers"]["X-Data-Mode"];
                    "X-Bar-State": components["headers"]["X-Bar-State"];
                    "X-Bar-Holes": components["headers"]["X-Bar-Holes"];
                    "X-As-Of": components["headers"]["X-As-Of"];
                    "X-As-Of-Resolution": components["headers"]["X-As-Of-Resolution"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["IndicatorReading"];
                    } | components["schemas"]["FlatIndicatorReading"];
                };
            };
            /** @description VALIDATION_ERROR, INVALID_TIMEFRAME, INVALID_DATETIME, INVALID_SYMBOL */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] | components["schemas"]["FlatError"];
                };
            };
            /** @description MISSING_API_KEY, INVALID_API_KEY, API_KEY_DISABLED, API_KEY_EXPIRED */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] | components["schemas"]["FlatError"];
                };
            };
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED, PLAN_UPGRADE_REQUIRED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] | components["schemas"]["FlatError"];
                };
            };
            /** @description DATA_NOT_FOUND, INDICATOR_NOT_FOUND, SYMBOL_NOT_FOUND, SOURCE_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] | components["schemas"]["FlatError"];
                };
            };
            /** @description URI_TOO_LONG */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] | components["schemas"]["FlatError"];
                };
            };
            /** @description RATE_LIMIT_EXCEEDED, QUOTA_EXCEEDED */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] | components["schemas"]["FlatError"];
                };
            };
            /** @description INTERNAL_ERROR */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] | components["schemas"]["FlatError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] | components["schemas"]["FlatError"];
                };
            };
        };
    };
    getIndicators: {
        parameters: {
            query: {
                /**
                 * @description Trading symbol; any broker's spelling is resolved.
                 * @example EURUSD
                 */
                symbol: string;
                /** @description The length of the bars: M1, M2, M3, M5, M10, M15, M30, H1, H2, H3, H4, H6, H8, H12, D1, W1, MN1, any number of minutes or hours up to a day such as M45, and S1, S5, S10, S15 and S30. Other spellings, such as h1 and 1h, are understood. */
                timeframe?: string;
                category?: "trend" | "oscillator" | "volatility" | "volume";
                /** @description How the answer is written. Without it the Accept header decides; JSON is the default. */
                format?: "json" | "csv";
                /**
                 * @description Answers as at this second of the past, from what was recorded until then. Costs 3 credits, and needs the scope and the plan of /v1/ticks as well.
                 * @example 2026-11-20T13:00:00Z
                 */
                at?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    "X-Quote-State": components["headers"]["X-Quote-State"];
                    "X-Quote-Age-Ms": components["headers"]["X-Quote-Age-Ms"];
                    "X-Data-Mode": components["headers"]["X-Data-Mode"];
                    "X-Bar-State": components["headers"]["X-Bar-State"];
                    "X-Bar-Holes": components["headers"]["X-Bar-Holes"];
                    "X-As-Of": components["headers"]["X-As-Of"];
                    "X-As-Of-Resolution": components["headers"]["X-As-Of-Resolution"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["IndicatorValues"];
                    };
                    /** @example symbol,timeframe,indicator,value */
                    "text/csv": string;
                };
            };
            /** @description VALIDATION_ERROR, INVALID_TIMEFRAME, INVALID_CATEGORY, INVALID_DATETIME, INVALID_SYMBOL */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED, PLAN_UPGRADE_REQUIRED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description DATA_NOT_FOUND, SYMBOL_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTicks: {
        parameters: {
            query: {
                /**
                 * @description Trading symbol; any broker's spelling is resolved.
                 * @example EURUSD
                 */
                symbol: string;
                /**
                 * @description First moment of the range.
                 * @example 2026-11-20T13:00:00Z
                 */
                from: string;
                /**
                 * @description End of the range, itself not in it; at most an hour after from.
                 * @example 2026-11-20T13:00:00Z
                 */
                to: string;
                /** @description 1s: the last update of each second. tick: every tick with its millisecond, where the server keeps them; its errors say where not. */
                resolution?: "1s" | "tick";
                /** @description With resolution=tick: the ticks of one broker source, in place of those of the served price. */
                source?: string;
                /** @description With resolution=tick: the ticks of one answer, 50000 without it, and the others of the last one's millisecond. */
                limit?: number;
                /** @description How the answer is written. Without it the Accept header decides; JSON is the default. */
                format?: "json" | "csv";
                /** @description gaps adds the holes in the range: every run of seconds without a row; JSON only. origin tells of each tick how it came: recorded, filled into a gap, or imported from a file. In CSV that is a column with its kind, source, file and SHA-256. */
                include?: "gaps" | "origin" | "gaps,origin";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    "X-Coverage": components["headers"]["X-Coverage"];
                    "X-Next-From": components["headers"]["X-Next-From"];
                    "X-Data-Mode": components["headers"]["X-Data-Mode"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** @description The canonical name of the instrument */
                            symbol: string;
                            /**
                             * @description With resolution=tick
                             * @constant
                             */
                            resolution?: "tick";
                            ticks: components["schemas"]["Tick"][];
                            /** @description Length of ticks */
                            count: number;
                            /** @description With include=origin: how the ticks came */
                            origins?: components["schemas"]["TickOrigin"][];
                            /** @description With resolution=tick: from of the next page; null if this is the last one */
                            next_from?: string | null;
                            /** @description With resolution=tick: times in the range in which ticks were not kept, oldest first */
                            not_kept?: components["schemas"]["NotKept"][];
                            /** @description With include=gaps: the holes in the range, oldest first */
                            gaps?: components["schemas"]["Gap"][];
                            /** @description Times in the range, if any, for which a source's prices are lost or not filled in yet */
                            source_gaps?: components["schemas"]["SourceGap"][];
                        };
                    };
                    /** @example time,bid,ask,flags */
                    "text/csv": string;
                };
            };
            /** @description Not changed since the ETag of If-None-Match */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR, INVALID_DATETIME, DATA_OUTSIDE_RETENTION, INVALID_RANGE, RANGE_TOO_LARGE, INVALID_SYMBOL */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED, PLAN_UPGRADE_REQUIRED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SYMBOL_NOT_FOUND, SOURCE_NOT_FOUND, DATA_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOhlc: {
        parameters: {
            query: {
                /**
                 * @description Trading symbol; any broker's spelling is resolved.
                 * @example EURUSD
                 */
                symbol: string;
                /** @description The length of the bars: M1, M2, M3, M5, M10, M15, M30, H1, H2, H3, H4, H6, H8, H12, D1, W1, MN1, any number of minutes or hours up to a day such as M45, and S1, S5, S10, S15 and S30. Other spellings, such as h1 and 1h, are understood. */
                timeframe?: string;
                /**
                 * @description Bars that opened at this moment or later: the first of them.
                 * @example 2026-11-20T13:00:00Z
                 */
                from?: string;
                /**
                 * @description Bars that opened before this moment.
                 * @example 2026-11-20T13:00:00Z
                 */
                to?: string;
                /** @description With from the first bars of the range, without it the latest. */
                limit?: number;
                /** @description The price of which bars are made. Bars of the ask and the mid have at most 15 minutes. */
                price?: "bid" | "ask" | "mid";
                /** @description How the answer is written. Without it the Accept header decides; JSON is the default. */
                format?: "json" | "csv";
                /**
                 * @description Answers as at this second of the past, from what was recorded until then. Costs 3 credits, and needs the scope and the plan of /v1/ticks as well.
                 * @example 2026-11-20T13:00:00Z
                 */
                at?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    "X-Coverage": components["headers"]["X-Coverage"];
                    "X-Data-Mode": components["headers"]["X-Data-Mode"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-As-Of": components["headers"]["X-As-Of"];
                    "X-As-Of-Resolution": components["headers"]["X-As-Of-Resolution"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** @description The canonical name of the instrument */
                            symbol: string;
                            timeframe: components["schemas"]["Timeframe"];
                            /**
                             * @description The price of the bars, unless it is the bid
                             * @enum {string}
                             */
                            price?: "bid" | "ask" | "mid";
                            /** @description Oldest first; made of bid prices unless price says otherwise */
                            candles: components["schemas"]["Candle"][];
                            /** @description Length of candles */
                            count: number;
                            /**
                             * @description How long bars of this timeframe are stored, null if for ever
                             * @example 90 days
                             */
                            retention: string | null;
                            /**
                             * Format: date-time
                             * @description Present if the range has more bars than limit: the from of the next call
                             */
                            next_from?: string;
                            /**
                             * Format: date-time
                             * @description Present if the range of the call begins before the stored bars: where they begin
                             */
                            from?: string;
                        };
                    };
                    /** @example time,open,high,low,close,volume */
                    "text/csv": string;
                };
            };
            /** @description Not changed since the ETag of If-None-Match */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR, INVALID_TIMEFRAME, INVALID_DATETIME, DATA_OUTSIDE_RETENTION, INVALID_RANGE, INVALID_SYMBOL */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED, PLAN_UPGRADE_REQUIRED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description DATA_NOT_FOUND, SYMBOL_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getExport: {
        parameters: {
            query: {
                /** @description Served seconds, bars, spreads by the minute, quotes of all sources by the second, hashes of hours, events of the calendar, or their changes. */
                what: "ticks" | "bars" | "spreads" | "quotes" | "proofs" | "calendar" | "calendar_revisions";
                /**
                 * @description Needed for all but the calendar, which has none.
                 * @example EURUSD
                 */
                symbol?: string;
                /** @description The length of bars; H1 is the default. */
                timeframe?: "M1" | "M5" | "M15" | "M30" | "H1" | "H4" | "D1" | "W1";
                /** @description Of ticks. 1s, the default: the last update of each second. tick: every tick of each source, where the server keeps them (SPOTLINE_KEEP_TICKS). */
                resolution?: "1s" | "tick";
                /**
                 * @description First moment of the range.
                 * @example 2026-11-20T13:00:00Z
                 */
                from: string;
                /**
                 * @description End of the range, itself not in it: at most a day after from for ticks (and 500000 of every tick), an hour for quotes, a week for spreads and proofs, 92 days for the calendar, and 50,000 bars.
                 * @example 2026-11-20T13:00:00Z
                 */
                to: string;
                /** @description How the file is written. */
                format?: "parquet" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    "X-Coverage": components["headers"]["X-Coverage"];
                    "X-Data-Mode": components["headers"]["X-Data-Mode"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description Not changed since the ETag of If-None-Match */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR, INVALID_TYPE, INVALID_TIMEFRAME, INVALID_DATETIME, DATA_OUTSIDE_RETENTION, INVALID_RANGE, RANGE_TOO_LARGE, INVALID_SYMBOL */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED, PLAN_UPGRADE_REQUIRED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SYMBOL_NOT_FOUND, DATA_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    postExport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description As in GET /v1/export.
                     * @enum {string}
                     */
                    what: "ticks" | "bars" | "spreads" | "quotes" | "proofs" | "calendar" | "calendar_revisions";
                    /**
                     * @description In any spelling; none for the calendar.
                     * @default []
                     */
                    symbols?: string[];
                    /**
                     * @description The length of bars; H1 is the default.
                     * @enum {string}
                     */
                    timeframe?: "M1" | "M5" | "M15" | "M30" | "H1" | "H4" | "D1" | "W1";
                    /**
                     * @description Of ticks. 1s, the default: the last update of each second. tick: every tick of each source, where the server keeps them (SPOTLINE_KEEP_TICKS).
                     * @enum {string}
                     */
                    resolution?: "1s" | "tick";
                    /**
                     * Format: date-time
                     * @description First moment of the range.
                     * @example 2026-11-20T13:00:00Z
                     */
                    from: string;
                    /**
                     * Format: date-time
                     * @description End of the range, itself not in it. A later one than now means now.
                     * @example 2026-11-20T13:00:00Z
                     */
                    to: string;
                    /**
                     * @description How the files are written.
                     * @default parquet
                     * @enum {string}
                     */
                    format?: "parquet" | "csv";
                };
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Export"];
                    };
                };
            };
            /** @description VALIDATION_ERROR, INVALID_RANGE, INVALID_TIMEFRAME, INVALID_DATETIME, INVALID_TYPE, NO_SYMBOLS, RANGE_TOO_LARGE, INVALID_SYMBOL */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED, PLAN_UPGRADE_REQUIRED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SYMBOL_NOT_FOUND, DATA_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description RATE_LIMIT_EXCEEDED, QUOTA_EXCEEDED, TOO_MANY_EXPORTS */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getExports: {
        parameters: {
            query?: {
                /** @description Adds the files of each export that is done, with their links. */
                include?: "files";
                offset?: number;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            exports: components["schemas"]["ListedExport"][];
                            /** @description How many there are on all pages */
                            total: number;
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getExportExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the export */
                export: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Export"];
                    };
                };
            };
            /** @description VALIDATION_ERROR */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED, PLAN_UPGRADE_REQUIRED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description EXPORT_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteExportExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the export */
                export: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** @constant */
                            deleted: true;
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description EXPORT_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getExportFilesFile: {
        parameters: {
            query: {
                /** @description Signs the link. */
                token: string;
            };
            header?: never;
            path: {
                /** @description The name of the file */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The range */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description Not changed since the ETag of If-None-Match */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PERMISSION_DENIED, ACCOUNT_SUSPENDED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description EXPORT_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description URI_TOO_LONG */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RANGE_NOT_SATISFIABLE */
            416: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getIndicatorsList: {
        parameters: {
            query?: {
                /** @description details answers formula, warm-up, range, aliases and shape of each in place of its description. families adds the families of indicators, each with its formula, parameters, bounds and lines. */
                include?: "details" | "families";
                /** @description How the answer is written. Without it the Accept header decides; JSON is the default. */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** @description By category and name: a sentence, or with include=details an object */
                            indicators: {
                                trend: {
                                    [key: string]: string | components["schemas"]["IndicatorDetails"];
                                };
                                oscillator: {
                                    [key: string]: string | components["schemas"]["IndicatorDetails"];
                                };
                                volatility: {
                                    [key: string]: string | components["schemas"]["IndicatorDetails"];
                                };
                                volume: {
                                    [key: string]: string | components["schemas"]["IndicatorDetails"];
                                };
                            };
                            timeframes: components["schemas"]["Timeframe"][];
                            categories: ("trend" | "oscillator" | "volatility" | "volume")[];
                            /** @description With include=families */
                            families?: components["schemas"]["IndicatorFamily"][];
                        };
                    };
                    /** @example category,indicator,description */
                    "text/csv": string;
                };
            };
            /** @description Not changed since the ETag of If-None-Match */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getIndicatorHistory: {
        parameters: {
            query: {
                /**
                 * @description Trading symbol; any broker's spelling is resolved.
                 * @example EURUSD
                 */
                symbol: string;
                /** @description A name of /v1/indicators/list, or a family with its parameters, such as RSI_21, EMA_34 or BBands_20_2.5_upper: /v1/indicators/list?include=families has all families. */
                indicator: string;
                /** @description The length of the bars: M1, M2, M3, M5, M10, M15, M30, H1, H2, H3, H4, H6, H8, H12, D1, W1, MN1, any number of minutes or hours up to a day such as M45, and S1, S5, S10, S15 and S30. Other spellings, such as h1 and 1h, are understood. */
                timeframe?: string;
                /**
                 * @description The first moment at which a bar may have opened.
                 * @example 2026-11-20T13:00:00Z
                 */
                from?: string;
                /**
                 * @description The moment before which the last bar opened.
                 * @example 2026-11-20T13:00:00Z
                 */
                to?: string;
                limit?: number;
                /** @description How the answer is written. Without it the Accept header decides; JSON is the default. */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    "X-Quote-State": components["headers"]["X-Quote-State"];
                    "X-Quote-Age-Ms": components["headers"]["X-Quote-Age-Ms"];
                    "X-Data-Mode": components["headers"]["X-Data-Mode"];
                    "X-Bar-Holes": components["headers"]["X-Bar-Holes"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["IndicatorHistory"];
                    };
                    /** @example time,value */
                    "text/csv": string;
                };
            };
            /** @description Not changed since the ETag of If-None-Match */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR, INVALID_TIMEFRAME, INVALID_DATETIME, DATA_OUTSIDE_RETENTION, INVALID_RANGE, INVALID_SYMBOL */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED, PLAN_UPGRADE_REQUIRED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INDICATOR_NOT_FOUND, SYMBOL_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMulti: {
        parameters: {
            query: {
                /** @description At most 50 symbols in any spelling, separated by commas. */
                symbols: string[];
                /** @description At most 50 names, separated by commas. */
                indicators: string[];
                /** @description The length of the bars: M1, M2, M3, M5, M10, M15, M30, H1, H2, H3, H4, H6, H8, H12, D1, W1, MN1, any number of minutes or hours up to a day such as M45, and S1, S5, S10, S15 and S30. Other spellings, such as h1 and 1h, are understood. */
                timeframe?: string;
                /**
                 * @description Asks for past bars instead of the latest one, of at most 10 symbols and 1000 bars.
                 * @example 2026-11-20T13:00:00Z
                 */
                from?: string;
                /**
                 * @description End of a past range, now without it. Only together with from.
                 * @example 2026-11-20T13:00:00Z
                 */
                to?: string;
                /** @description How the answer is written. Without it the Accept header decides; JSON is the default. */
                format?: "json" | "csv";
                /**
                 * @description Answers as at this second of the past, from what was recorded until then. Costs 3 credits, and needs the scope and the plan of /v1/ticks as well.
                 * @example 2026-11-20T13:00:00Z
                 */
                at?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    "X-Quote-State": components["headers"]["X-Quote-State"];
                    "X-Quote-Age-Ms": components["headers"]["X-Quote-Age-Ms"];
                    "X-Data-Mode": components["headers"]["X-Data-Mode"];
                    "X-Bar-State": components["headers"]["X-Bar-State"];
                    "X-Bar-Holes": components["headers"]["X-Bar-Holes"];
                    ETag: components["headers"]["ETag"];
                    "X-As-Of": components["headers"]["X-As-Of"];
                    "X-As-Of-Resolution": components["headers"]["X-As-Of-Resolution"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["LatestIndicators"] | components["schemas"]["PastIndicators"];
                    };
                    /** @example symbol */
                    "text/csv": string;
                };
            };
            /** @description Not changed since the ETag of If-None-Match */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR, NO_SYMBOLS, TOO_MANY_SYMBOLS, INVALID_TIMEFRAME, INVALID_DATETIME, INVALID_RANGE, RANGE_TOO_LARGE */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED, PLAN_UPGRADE_REQUIRED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description DATA_NOT_FOUND, INDICATOR_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getScreener: {
        parameters: {
            query: {
                /** @description A name of /v1/indicators/list, or a family with its parameters, such as RSI_21, EMA_34 or BBands_20_2.5_upper: /v1/indicators/list?include=families has all families. */
                indicator: string;
                /** @description The length of the bars. Other spellings, such as h1 and 1h, are understood. */
                timeframe?: "M1" | "M5" | "M15" | "M30" | "H1" | "H4" | "D1" | "W1";
                /** @description Lowest value that matches. */
                min_val?: number;
                /** @description Highest value that matches. */
                max_val?: number;
                /** @description By value. */
                sort?: "asc" | "desc";
                offset?: number;
                limit?: number;
                /** @description How the answer is written. Without it the Accept header decides; JSON is the default. */
                format?: "json" | "csv";
                /**
                 * @description Answers as at this second of the past, from what was recorded until then. Costs 3 credits, and needs the scope and the plan of /v1/ticks as well.
                 * @example 2026-11-20T13:00:00Z
                 */
                at?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    "X-Quote-State": components["headers"]["X-Quote-State"];
                    "X-Quote-Age-Ms": components["headers"]["X-Quote-Age-Ms"];
                    "X-Data-Mode": components["headers"]["X-Data-Mode"];
                    "X-Bar-State": components["headers"]["X-Bar-State"];
                    "X-Bar-Holes": components["headers"]["X-Bar-Holes"];
                    "X-As-Of": components["headers"]["X-As-Of"];
                    "X-As-Of-Resolution": components["headers"]["X-As-Of-Resolution"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** @description The name of the indicator */
                            indicator: string;
                            timeframe: components["schemas"]["Timeframe"];
                            /** @description The bounds of the call; null where it has none */
                            filter: {
                                min: number | null;
                                max: number | null;
                            };
                            results: components["schemas"]["ScreenerResult"][];
                            total_matches: number;
                            pagination: components["schemas"]["Pagination"];
                            /** @description Unix seconds of the newest quote behind it; 0 before the first */
                            updated_at: number;
                        };
                    };
                    /** @example symbol,value,bid,bar_time,bar_state */
                    "text/csv": string;
                };
            };
            /** @description VALIDATION_ERROR, INVALID_TIMEFRAME, INVALID_SORT, INVALID_DATETIME */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED, PLAN_UPGRADE_REQUIRED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description DATA_NOT_FOUND, INDICATOR_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSummary: {
        parameters: {
            query: {
                /**
                 * @description Trading symbol; any broker's spelling is resolved.
                 * @example EURUSD
                 */
                symbol: string;
                /** @description The length of the bars: M1, M2, M3, M5, M10, M15, M30, H1, H2, H3, H4, H6, H8, H12, D1, W1, MN1, any number of minutes or hours up to a day such as M45, and S1, S5, S10, S15 and S30. Other spellings, such as h1 and 1h, are understood. */
                timeframe?: string;
                /**
                 * @description Answers as at this second of the past, from what was recorded until then. Costs 3 credits, and needs the scope and the plan of /v1/ticks as well.
                 * @example 2026-11-20T13:00:00Z
                 */
                at?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    "X-Quote-State": components["headers"]["X-Quote-State"];
                    "X-Quote-Age-Ms": components["headers"]["X-Quote-Age-Ms"];
                    "X-Data-Mode": components["headers"]["X-Data-Mode"];
                    "X-Bar-State": components["headers"]["X-Bar-State"];
                    "X-Bar-Holes": components["headers"]["X-Bar-Holes"];
                    "X-As-Of": components["headers"]["X-As-Of"];
                    "X-As-Of-Resolution": components["headers"]["X-As-Of-Resolution"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Summary"];
                    };
                };
            };
            /** @description VALIDATION_ERROR, INVALID_TIMEFRAME, INVALID_DATETIME, INVALID_SYMBOL */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED, PLAN_UPGRADE_REQUIRED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description DATA_NOT_FOUND, SYMBOL_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSpread: {
        parameters: {
            query: {
                /**
                 * @description Trading symbol; any broker's spelling is resolved.
                 * @example EURUSD
                 */
                symbol: string;
                period?: "1h" | "24h" | "7d" | "30d";
                /** @description Adds percentiles. */
                include?: "percentiles";
                /** @description Adds the statistics of every quarter of an hour, with the band that holds nine tenths of its samples. */
                series?: "15m";
                /** @description How the answer is written. Without it the Accept header decides; JSON is the default. */
                format?: "json" | "csv";
                /**
                 * @description Answers as at this second of the past, from what was recorded until then. Costs 3 credits, and needs the scope and the plan of /v1/ticks as well.
                 * @example 2026-11-20T13:00:00Z
                 */
                at?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    "X-Quote-State": components["headers"]["X-Quote-State"];
                    "X-Quote-Age-Ms": components["headers"]["X-Quote-Age-Ms"];
                    "X-Data-Mode": components["headers"]["X-Data-Mode"];
                    "X-As-Of": components["headers"]["X-As-Of"];
                    "X-As-Of-Resolution": components["headers"]["X-As-Of-Resolution"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["SpreadAnalysis"];
                    };
                    /** @example symbol,spread_pips,spread_points,period,avg_spread,min_spread,max_spread,std_deviation */
                    "text/csv": string;
                };
            };
            /** @description VALIDATION_ERROR, INVALID_PERIOD, INVALID_DATETIME, INVALID_SYMBOL */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED, PLAN_UPGRADE_REQUIRED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description DATA_NOT_FOUND, SYMBOL_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSpreadCompare: {
        parameters: {
            query: {
                /** @description At most 20 symbols in any spelling, separated by commas. */
                symbols: string[];
                period?: "1h" | "24h" | "7d" | "30d";
                /** @description Adds every source's own spreads to each symbol, tightest first. */
                by?: "source";
                /** @description How the answer is written. Without it the Accept header decides; JSON is the default. */
                format?: "json" | "csv";
                /**
                 * @description Answers as at this second of the past, from what was recorded until then. Costs 3 credits, and needs the scope and the plan of /v1/ticks as well.
                 * @example 2026-11-20T13:00:00Z
                 */
                at?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    "X-Data-Mode": components["headers"]["X-Data-Mode"];
                    "X-As-Of": components["headers"]["X-As-Of"];
                    "X-As-Of-Resolution": components["headers"]["X-As-Of-Resolution"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /**
                             * @description The time that ends now
                             * @enum {string}
                             */
                            period: "1h" | "24h" | "7d" | "30d";
                            symbols: components["schemas"]["ComparedSpread"][];
                            /** @description How many there are in this answer */
                            count: number;
                        };
                    };
                    /** @example symbol,current_pips,avg_pips,min_pips,max_pips,has_live_data */
                    "text/csv": string;
                };
            };
            /** @description VALIDATION_ERROR, NO_SYMBOLS, TOO_MANY_SYMBOLS, INVALID_PERIOD, INVALID_DATETIME */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED, PLAN_UPGRADE_REQUIRED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description DATA_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getQuality: {
        parameters: {
            query: {
                /**
                 * @description Trading symbol; any broker's spelling is resolved.
                 * @example EURUSD
                 */
                symbol: string;
                /**
                 * @description A moment of the first day, by default six days before to.
                 * @example 2026-11-20T13:00:00Z
                 */
                from?: string;
                /**
                 * @description A moment of the last day, by default now; at most 31 days.
                 * @example 2026-11-20T13:00:00Z
                 */
                to?: string;
                /** @description Adds gaps, verdicts and spikes to each source, for at most 7 days. JSON only. */
                include?: "detail";
                /** @description How the answer is written. Without it the Accept header decides; JSON is the default. */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    "X-Data-Mode": components["headers"]["X-Data-Mode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** @description The canonical name of the instrument */
                            symbol: string;
                            /** @description All hours before it are judged; null if none is */
                            judged_until: string | null;
                            days: components["schemas"]["QualityDay"][];
                        };
                    };
                    /** @example symbol,date,source,condition,expected_seconds,covered_seconds,completeness */
                    "text/csv": string;
                };
            };
            /** @description VALIDATION_ERROR, INVALID_DATETIME, INVALID_RANGE, RANGE_TOO_LARGE, INVALID_SYMBOL */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SYMBOL_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getQualityDay: {
        parameters: {
            query?: {
                /**
                 * @description A moment of the UTC day, by default of the last one that is over.
                 * @example 2026-11-20T13:00:00Z
                 */
                date?: string;
                offset?: number;
                limit?: number;
                /** @description How the answer is written. Without it the Accept header decides; JSON is the default. */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /**
                             * Format: date
                             * @description The day, in UTC
                             */
                            date: string;
                            /** @description All hours before it are judged; null if none is */
                            judged_until: string | null;
                            results: components["schemas"]["QualityResult"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                    /** @example date,symbol,source,condition,completeness,expected_seconds,covered_seconds */
                    "text/csv": string;
                };
            };
            /** @description VALIDATION_ERROR, INVALID_DATETIME */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSessions: {
        parameters: {
            query?: {
                /**
                 * @description Another moment to look at; now when left out.
                 * @example 2026-11-20T13:00:00Z
                 */
                at?: string;
                /** @description How the answer is written. Without it the Accept header decides; JSON is the default. */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            current_time: components["schemas"]["Timestamp"];
                            active_sessions: ("sydney" | "tokyo" | "london" | "new_york")[];
                            sessions: {
                                sydney: components["schemas"]["Session"];
                                tokyo: components["schemas"]["Session"];
                                london: components["schemas"]["Session"];
                                new_york: components["schemas"]["Session"];
                            };
                            /**
                             * @description Every pair of open sessions
                             * @example [
                             *       "london_new_york"
                             *     ]
                             */
                            overlaps: string[];
                            /** @description The soonest opening or close of any session */
                            next_major_event: {
                                /**
                                 * @description What happens
                                 * @example london_close
                                 */
                                event: string;
                                in: string;
                            };
                        };
                    };
                    /** @example session,status,opens_in,closes_in,weekend */
                    "text/csv": string;
                };
            };
            /** @description Not changed since the ETag of If-None-Match */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR, INVALID_DATETIME */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getHeatmap: {
        parameters: {
            query?: {
                type?: "strength" | "correlation";
                /** @description The length of the bars. Other spellings, such as h1 and 1h, are understood. */
                timeframe?: "H1" | "H4" | "D1" | "W1";
                /** @description With correlation only: 2 to 20 symbols to compare in place of the currencies. */
                symbols?: string[];
                /** @description With correlation only: how many closed bars are compared; 120 if not given. */
                bars?: number;
                /** @description How the answer is written. Without it the Accept header decides; JSON is the default. */
                format?: "json" | "csv";
                /**
                 * @description Answers as at this second of the past, from what was recorded until then. Costs 3 credits, and needs the scope and the plan of /v1/ticks as well.
                 * @example 2026-11-20T13:00:00Z
                 */
                at?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    "X-Data-Mode": components["headers"]["X-Data-Mode"];
                    "X-Bar-State": components["headers"]["X-Bar-State"];
                    ETag: components["headers"]["ETag"];
                    "X-As-Of": components["headers"]["X-As-Of"];
                    "X-As-Of-Resolution": components["headers"]["X-As-Of-Resolution"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["StrengthHeatmap"] | components["schemas"]["CorrelationHeatmap"];
                    };
                    /** @example currency,strength,trend,change,pairs_analyzed */
                    "text/csv": string;
                };
            };
            /** @description Not changed since the ETag of If-None-Match */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR, INVALID_TYPE, INVALID_TIMEFRAME, NO_SYMBOLS, TOO_MANY_SYMBOLS, INVALID_DATETIME, INVALID_SYMBOL */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED, PLAN_UPGRADE_REQUIRED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description DATA_NOT_FOUND, SYMBOL_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCalendar: {
        parameters: {
            query?: {
                /** @description Start, today 00:00 UTC unless given: ISO 8601 or YYYY-MM-DD, UTC unless it names an offset, or Unix seconds or milliseconds; ignored beside next_hours and prev_hours. */
                from?: string;
                /** @description End, inclusive, seven days later unless given: ISO 8601 or YYYY-MM-DD, UTC unless it names an offset, or Unix seconds or milliseconds; ignored beside next_hours and prev_hours. */
                to?: string;
                /** @description Currency codes in any case, separated by commas. */
                currencies?: string[];
                /** @description The same; passed over where currencies is given. */
                country?: string[];
                impact?: "high" | "medium" | "low";
                /** @description Part of the title, in any case. */
                q?: string;
                /** @description From now on. */
                next_hours?: number;
                /** @description Up to now; newest first when it stands alone. */
                prev_hours?: number;
                /** @description One stream; both, with secondary twins hidden, unless given. */
                source?: "primary" | "secondary";
                /** @description Adds fields to each event, separated by commas. */
                include?: ("numeric" | "revised" | "certainty" | "history")[];
                offset?: number;
                limit?: number;
                /** @description How the answer is written. Without it the Accept header decides; JSON is the default. */
                format?: "json" | "csv";
                /**
                 * @description Answers as at this second of the past, from what was recorded until then. Costs 3 credits, and needs the scope and the plan of /v1/ticks as well.
                 * @example 2026-11-20T13:00:00Z
                 */
                at?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    ETag: components["headers"]["ETag"];
                    "X-Data-Mode": components["headers"]["X-Data-Mode"];
                    "X-As-Of": components["headers"]["X-As-Of"];
                    "X-As-Of-Resolution": components["headers"]["X-As-Of-Resolution"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            events: components["schemas"]["CalendarEvent"][];
                            /** @description Events on this page, after hiding secondary twins */
                            count: number;
                            /** @description UTC, without an offset; both inclusive */
                            range: {
                                from: string;
                                to: string;
                            };
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                    /** @example id,datetime,currency,event,impact,forecast,previous,actual,source,series_id */
                    "text/csv": string;
                };
            };
            /** @description Not changed since the ETag of If-None-Match */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR, INVALID_IMPACT, INVALID_SOURCE, INVALID_DATETIME, INVALID_DATE, RANGE_TOO_LARGE */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED, PLAN_UPGRADE_REQUIRED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description DATA_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            /** @description VALIDATION_ERROR */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCalendarWindow: {
        parameters: {
            query?: {
                /**
                 * @description Trading symbol; any broker's spelling is resolved.
                 * @example EURUSD
                 */
                symbol?: string;
                /** @description At most 20 currency codes in any case, separated by commas; those of the symbol are added. */
                currencies?: string[];
                /** @description Minutes before a release. */
                before?: number;
                /** @description Minutes after it. */
                after?: number;
                /** @description The impacts that count, separated by commas. */
                impact?: ("high" | "medium" | "low")[];
                /**
                 * @description Answers as at this second of the past, from what was recorded until then. Costs 3 credits, and needs the scope and the plan of /v1/ticks as well.
                 * @example 2026-11-20T13:00:00Z
                 */
                at?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    "X-Data-Mode": components["headers"]["X-Data-Mode"];
                    "X-As-Of": components["headers"]["X-As-Of"];
                    "X-As-Of-Resolution": components["headers"]["X-As-Of-Resolution"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** @description Null for a list of currencies */
                            symbol: string | null;
                            /** @description The currencies whose releases count */
                            currencies: string[];
                            impacts: ("high" | "medium" | "low")[];
                            before: number;
                            after: number;
                            /** @description The moment that the answer is of */
                            time: string;
                            /**
                             * @description unknown if the calendar cannot tell that no release is near: reason says why
                             * @enum {string}
                             */
                            state: "inside" | "clear" | "unknown";
                            /** @description Why the state is unknown; else null */
                            reason: string | null;
                            /** @description The window that the moment is in */
                            window: components["schemas"]["NewsWindow"] | null;
                            /** @description The next window, of the next 31 days */
                            next: components["schemas"]["NewsWindow"] | null;
                            /** @description Events of the day without a known hour: no window has them */
                            untimed: components["schemas"]["CalendarEvent"][];
                            calendar: {
                                /**
                                 * @description stale: nothing is listed from some day before the end of before on; missing: nothing is listed at all
                                 * @enum {string}
                                 */
                                status: "current" | "stale" | "missing";
                                /** @description The end of the UTC day of the last event that is listed within 31 days, of any currency */
                                listed_until: string | null;
                                /** @description Currencies of which no event is listed within 31 days */
                                unlisted: string[];
                            };
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR, INVALID_IMPACT, INVALID_DATETIME, INVALID_SYMBOL */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED, PLAN_UPGRADE_REQUIRED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description DATA_NOT_FOUND, SYMBOL_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            /** @description VALIDATION_ERROR */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAlerts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            alerts: components["schemas"]["Alert"][];
                            /** @description How many there are in this answer */
                            count: number;
                            /** @description How many may be active */
                            active_limit: number;
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    postAlerts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description At most 100 characters; without one, the condition in words
                     * @default
                     */
                    name?: string;
                    condition: components["schemas"]["NewAlertCondition"];
                    /**
                     * @description From 60, or 900 with mail, or 0 for events and completeness, to 604800; null fires once
                     * @default null
                     */
                    cooldown_seconds?: number | null;
                    /** @default true */
                    active?: boolean;
                    /** @default null */
                    webhook_id?: string | null;
                    /** @default false */
                    mail?: boolean;
                    /** @default false */
                    push?: boolean;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Alert"];
                    };
                };
            };
            /** @description VALIDATION_ERROR, INVALID_SYMBOL */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED, PLAN_UPGRADE_REQUIRED, TOO_MANY_ALERTS */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SYMBOL_NOT_FOUND, SOURCE_NOT_FOUND, WEBHOOK_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAlertsAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the alert */
                alert: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["AlertWithLog"];
                    };
                };
            };
            /** @description VALIDATION_ERROR */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description ALERT_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteAlertsAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the alert */
                alert: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** @constant */
                            deleted: true;
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description ALERT_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    patchAlertsAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the alert */
                alert: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description At most 100 characters; without one, the condition in words */
                    name?: string;
                    condition?: components["schemas"]["NewAlertCondition"];
                    /** @description From 60, or 900 with mail, or 0 for events and completeness, to 604800; null fires once */
                    cooldown_seconds?: number | null;
                    active?: boolean;
                    webhook_id?: string | null;
                    mail?: boolean;
                    push?: boolean;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Alert"];
                    };
                };
            };
            /** @description VALIDATION_ERROR, INVALID_SYMBOL */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED, PLAN_UPGRADE_REQUIRED, TOO_MANY_ALERTS */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SYMBOL_NOT_FOUND, SOURCE_NOT_FOUND, ALERT_NOT_FOUND, WEBHOOK_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            webhooks: components["schemas"]["Webhook"][];
                            /** @description How many there are in this answer */
                            count: number;
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    postWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /**
                     * @default signed
                     * @enum {string}
                     */
                    kind?: "signed" | "telegram" | "discord" | "slack";
                    /** @description Needed but for telegram, where it is another server of the Bot API */
                    url?: string;
                    /** @description Of telegram: the token of the bot */
                    token?: string;
                    /** @description Of telegram: the number of the chat, such as -1001234567890, or @channel */
                    chat?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["NewWebhook"];
                    };
                };
            };
            /** @description VALIDATION_ERROR */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED, TOO_MANY_WEBHOOKS */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    postWebhooksWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook */
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** @constant */
                            sent: true;
                            /**
                             * Format: uuid
                             * @description The webhook-id of the message
                             */
                            message_id: string;
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description WEBHOOK_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebhooksWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook */
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** @constant */
                            deleted: true;
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description WEBHOOK_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMonitorAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Account"];
                    };
                };
            };
            /** @description VALIDATION_ERROR */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMonitorLayout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** @description As it was saved; null before that */
                            layout: (string | {
                                [key: string]: unknown;
                            })[] | null;
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    putMonitorLayout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    layout: (Record<string, never> | string)[];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** @constant */
                            saved: true;
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCalendarIcs: {
        parameters: {
            query?: {
                /** @description Start, today 00:00 UTC unless given: ISO 8601 or YYYY-MM-DD, UTC unless it names an offset, or Unix seconds or milliseconds; ignored beside next_hours and prev_hours. */
                from?: string;
                /** @description End, inclusive, seven days later unless given: ISO 8601 or YYYY-MM-DD, UTC unless it names an offset, or Unix seconds or milliseconds; ignored beside next_hours and prev_hours. */
                to?: string;
                /** @description Currency codes in any case, separated by commas. */
                currencies?: string[];
                /** @description The same; passed over where currencies is given. */
                country?: string[];
                impact?: "high" | "medium" | "low";
                /** @description Part of the title, in any case. */
                q?: string;
                /** @description From now on. */
                next_hours?: number;
                /** @description Up to now; newest first when it stands alone. */
                prev_hours?: number;
                /** @description One stream; both, with secondary twins hidden, unless given. */
                source?: "primary" | "secondary";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    ETag: components["headers"]["ETag"];
                    "X-Data-Mode": components["headers"]["X-Data-Mode"];
                    [name: string]: unknown;
                };
                content: {
                    "text/calendar": string;
                };
            };
            /** @description Not changed since the ETag of If-None-Match */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR, INVALID_IMPACT, INVALID_SOURCE, INVALID_DATE, RANGE_TOO_LARGE */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED, PLAN_UPGRADE_REQUIRED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            /** @description VALIDATION_ERROR */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCalendarSubscription: {
        parameters: {
            query?: {
                /** @description Start, today 00:00 UTC unless given: ISO 8601 or YYYY-MM-DD, UTC unless it names an offset, or Unix seconds or milliseconds; ignored beside next_hours and prev_hours. */
                from?: string;
                /** @description End, inclusive, seven days later unless given: ISO 8601 or YYYY-MM-DD, UTC unless it names an offset, or Unix seconds or milliseconds; ignored beside next_hours and prev_hours. */
                to?: string;
                /** @description Currency codes in any case, separated by commas. */
                currencies?: string[];
                /** @description The same; passed over where currencies is given. */
                country?: string[];
                impact?: "high" | "medium" | "low";
                /** @description Part of the title, in any case. */
                q?: string;
                /** @description From now on. */
                next_hours?: number;
                /** @description Up to now; newest first when it stands alone. */
                prev_hours?: number;
                /** @description One stream; both, with secondary twins hidden, unless given. */
                source?: "primary" | "secondary";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            url: string;
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR, INVALID_IMPACT, INVALID_SOURCE */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description ACCOUNT_SUSPENDED, IP_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED, PLAN_UPGRADE_REQUIRED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["URITooLong"];
            /** @description VALIDATION_ERROR */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOpenapiJson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        openapi: "3.1.0";
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description Not changed since the ETag of If-None-Match */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description URI_TOO_LONG */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description VALIDATION_ERROR */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description URI_TOO_LONG */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description VALIDATION_ERROR */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description URI_TOO_LONG */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    traceparent: components["headers"]["traceparent"];
                    "X-Ignored-Params": components["headers"]["X-Ignored-Params"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}

/** The method and path of each operation. */
export const OPERATIONS = {
  getQuote: { method: "GET", path: "/v1/quote" },
  postQuotes: { method: "POST", path: "/v1/quotes" },
  getSymbols: { method: "GET", path: "/v1/symbols" },
  getSymbolsSymbol: { method: "GET", path: "/v1/symbols/{symbol}" },
  getStream: { method: "GET", path: "/v1/stream" },
  getIndicator: { method: "GET", path: "/v1/indicator" },
  getIndicators: { method: "GET", path: "/v1/indicators" },
  getTicks: { method: "GET", path: "/v1/ticks" },
  getOhlc: { method: "GET", path: "/v1/ohlc" },
  getExport: { method: "GET", path: "/v1/export" },
  getExports: { method: "GET", path: "/v1/exports" },
  postExport: { method: "POST", path: "/v1/export" },
  getExportExport: { method: "GET", path: "/v1/export/{export}" },
  deleteExportExport: { method: "DELETE", path: "/v1/export/{export}" },
  getExportFilesFile: { method: "GET", path: "/v1/export/files/{file}" },
  getIndicatorsList: { method: "GET", path: "/v1/indicators/list" },
  getIndicatorHistory: { method: "GET", path: "/v1/indicator/history" },
  getMulti: { method: "GET", path: "/v1/multi" },
  getScreener: { method: "GET", path: "/v1/screener" },
  getSummary: { method: "GET", path: "/v1/summary" },
  getSpread: { method: "GET", path: "/v1/spread" },
  getSpreadCompare: { method: "GET", path: "/v1/spread/compare" },
  getQuality: { method: "GET", path: "/v1/quality" },
  getQualityDay: { method: "GET", path: "/v1/quality/day" },
  getSessions: { method: "GET", path: "/v1/sessions" },
  getHeatmap: { method: "GET", path: "/v1/heatmap" },
  getCalendar: { method: "GET", path: "/v1/calendar" },
  getCalendarWindow: { method: "GET", path: "/v1/calendar/window" },
  getAlerts: { method: "GET", path: "/v1/alerts" },
  postAlerts: { method: "POST", path: "/v1/alerts" },
  getAlertsAlert: { method: "GET", path: "/v1/alerts/{alert}" },
  patchAlertsAlert: { method: "PATCH", path: "/v1/alerts/{alert}" },
  deleteAlertsAlert: { method: "DELETE", path: "/v1/alerts/{alert}" },
  getWebhooks: { method: "GET", path: "/v1/webhooks" },
  postWebhooks: { method: "POST", path: "/v1/webhooks" },
  postWebhooksWebhook: { method: "POST", path: "/v1/webhooks/{webhook}" },
  deleteWebhooksWebhook: { method: "DELETE", path: "/v1/webhooks/{webhook}" },
  getMonitorAccount: { method: "GET", path: "/v1/monitor/account" },
  getMonitorLayout: { method: "GET", path: "/v1/monitor/layout" },
  putMonitorLayout: { method: "PUT", path: "/v1/monitor/layout" },
  getCalendarIcs: { method: "GET", path: "/v1/calendar.ics" },
  getCalendarSubscription: { method: "GET", path: "/v1/calendar/subscription" },
  getOpenapiJson: { method: "GET", path: "/v1/openapi.json" },
  getHealth: { method: "GET", path: "/health" },
  getReady: { method: "GET", path: "/ready" },
} as const satisfies Record<keyof operations, object>;

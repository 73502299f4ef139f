export const FRESHNESS = `# Freshness and data modes

A wrong price is worse than none. So every price has its own time, and says how far to trust it.

## The state of a quote

\`timestamp\` is when the source made the price, not when you asked. The header \`X-Quote-State\` has one of four words,
and \`X-Quote-Age-Ms\` the age in milliseconds:

| State | Meaning | What to do |
| --- | --- | --- |
| \`live\` | The price is new. | Use it. |
| \`delayed\` | The source is late, but still sends. | Use it with care; do not trade on it. |
| \`stale\` | Nothing has come for too long, though the market is open. | Treat it as missing. |
| \`closed\` | The market is closed. | It is the last price before the close. |

An answer with several prices has the worst of their states and the age of the oldest.

## Several sources

A plain quote comes from the first source that is live, in the order the operator has set. When that source goes stale,
the next one serves, and \`source\` names it. It is never an average. \`include_sources=true\` shows all sources with the
best bid and ask over the live ones; \`source=NAME\` asks for one source, however old its price is.

## Data modes

The header \`X-Data-Mode\` is missing when data is live. Otherwise it is:

| Mode | Meaning |
| --- | --- |
| \`simulated\` | Invented by the installation's own simulation, for trying things out. |
| \`replay\` | A recording, played again: the times are those of the recording. |

Answers about the past carry the mode of the data in their range, so a range that was simulated stays marked after real
sources were connected. Check it before you believe a backtest:

\`\`\`python
if response.headers.get("X-Data-Mode"):
    raise SystemExit("These prices are not live.")
\`\`\`

## Gaps

The header \`X-Coverage\` of [bars](/docs/reference/ohlc) and [ticks](/docs/reference/ticks) reads, for example, \`58/60\`: 58
rows of the 60 that there would be without gaps. \`include=gaps\` lists the holes in ticks.`;

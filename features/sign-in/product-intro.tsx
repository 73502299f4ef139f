import { Figure } from "@/components/ui/figure";
const REQUEST = 'curl -H "X-API-Key: fxk_live_…" \\\n  "$SPOTLINE/v1/quote?symbol=EURUSD"';

const reply = [
  ["symbol", '"EURUSD"'],
  ["bid", "1.08523"],
  ["ask", "1.08531"],
  ["spread", "0.00008"],
  ["spread_pips", "0.8"],
  ["timestamp", '"2026-01-05T14:03:27.412Z"'],
  ["source", '"broker-a"'],
] as const;

/** Introduces the product with a first call of its API. */
export function ProductIntro() {
  return (
    <aside
      aria-label="About Spotline"
      className="relative hidden flex-col justify-center overflow-hidden border-l border-line bg-panel px-16 lg:flex"
    >
      <div className="max-w-lg">
        <h2 className="text-[1.75rem] leading-9 font-semibold tracking-[-0.025em] ">
          Your brokers&rsquo; prices in.
          <br />
          One JSON API out.
        </h2>
        <p className="mt-3 max-w-md text-dim">
          Quotes from every source you connect, under one set of symbols, on your own machine. Each price has the time
          of its broker and is marked when it is old.
        </p>
        <div className="relative mt-10">
          <span aria-hidden className="absolute top-0 -right-[50vw] -left-[50vw] h-px bg-line" />
          <span aria-hidden className="absolute -right-[50vw] bottom-0 -left-[50vw] h-px bg-line" />
          <Figure as="pre" className="py-6 text-xs13 leading-6 whitespace-pre text-dim">
            <span className="text-ink">{REQUEST}</span>
            {"\n\n{\n"}
            {'  "success": true,\n  "data": {\n'}
            {reply.map(([name, value], index) => (
              <span key={name}>
                {`    "${name}": `}
                <span className={name === "bid" || name === "ask" ? "text-accent-ink" : "text-ink"}>{value}</span>
                {index < reply.length - 1 ? ",\n" : "\n"}
              </span>
            ))}
            {"  }\n}"}
          </Figure>
        </div>
      </div>
    </aside>
  );
}

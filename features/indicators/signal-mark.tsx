import type { Signal } from "@/lib/analytics/indicators/definition";

interface Look {
  readonly meaning: string;
  readonly colour: string;
  readonly shape: "arrow-up" | "arrow-down" | "dash";
}

const LOOKS: Readonly<Record<Signal, Look>> = {
  bullish: { meaning: "Points to rising prices", colour: "text-up", shape: "arrow-up" },
  bearish: { meaning: "Points to falling prices", colour: "text-down", shape: "arrow-down" },
  overbought: { meaning: "Above its upper level", colour: "text-warn", shape: "arrow-up" },
  oversold: { meaning: "Below its lower level", colour: "text-warn", shape: "arrow-down" },
  neutral: { meaning: "Points neither way", colour: "text-dim", shape: "dash" },
};

/** The signal of a reading: a shape, a word and a colour, never the colour alone. */
export function SignalMark({ signal, isLarge = false }: { signal: Signal; isLarge?: boolean }) {
  const { meaning, colour, shape } = LOOKS[signal];
  return (
    <span
      title={meaning}
      className={`inline-flex items-center gap-1.5 align-middle ${colour} ${isLarge ? "text-[1.125rem] font-semibold" : ""}`}
    >
      <span aria-hidden className={`bg-current ${getShapeClass(shape, isLarge)}`} />
      {signal}
    </span>
  );
}

function getShapeClass(shape: Look["shape"], isLarge: boolean): string {
  if (shape === "dash") return isLarge ? "h-0.5 w-[11px]" : "h-[1.5px] w-[7px]";
  return `${shape} ${isLarge ? "h-[9px] w-[11px]" : "h-1.5 w-[7px]"}`;
}

import { useSymbolValue } from "@/features/quotes/columns/symbol-store";
import { useExtras } from "@/features/quotes/extras";
import { SPARK_HEIGHT, SPARK_WIDTH } from "@/features/quotes/sparks/spark-shape";

const COLOURS = { "1": "stroke-up", "0": "stroke-dim", "-1": "stroke-down" } as const;

/** The day's prices as a small line, with the price that the day is measured from. */
export function SparkCell({ symbol }: { symbol: string }) {
  const shape = useSymbolValue(useExtras().sparks, symbol);
  return (
    <td role="cell" className="cell-spark">
      {shape !== undefined && (
        <svg aria-hidden viewBox={`0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`} preserveAspectRatio="none" className="spark">
          {shape.referenceY !== null && (
            <path d={`M0 ${shape.referenceY}H${SPARK_WIDTH}`} className="stroke-edge" strokeDasharray="2 3" />
          )}
          <path d={shape.path} className={COLOURS[`${shape.direction}`]} strokeWidth={1.25} />
        </svg>
      )}
    </td>
  );
}

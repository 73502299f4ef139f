/** Neither strong nor weak, on the scale from 0 to 10. */
const NEUTRAL = 5;

/** A bar from 5 to the strength of a currency: to the right in green, to the left in red. */
export function StrengthBar({ strength }: { strength: number }) {
  const distance = Math.abs(strength - NEUTRAL) * 10;
  const isStrong = strength >= NEUTRAL;
  return (
    <div aria-hidden className="relative h-4 rounded-sm bg-hover">
      <div
        className={`absolute inset-y-0 transition-[inline-size] duration-300 ease-out ${isStrong ? "left-1/2 rounded-r-sm bg-up" : "right-1/2 rounded-l-sm bg-down"}`}
        style={{ inlineSize: `${distance}%` }}
      />
      <div className="absolute -inset-y-1 left-1/2 w-px bg-edge" />
    </div>
  );
}

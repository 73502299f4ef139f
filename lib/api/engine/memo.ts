/** Computes a value once for each object; the context only serves the computation. */
export function memoizeByIdentity<Key extends object, Context, Value>(compute: (key: Key, context: Context) => Value) {
  const values = new WeakMap<Key, Value>();
  return (key: Key, context: Context): Value => {
    let value = values.get(key);
    if (value === undefined) {
      value = compute(key, context);
      values.set(key, value);
    }
    return value;
  };
}

/** Formats UTC milliseconds to the second; one text serves all calls of a second. */
export function memoizeBySecond(format: (secondMs: number) => string) {
  let memoSecond = NaN;
  let text = "";
  return (timeMs: number): string => {
    const second = Math.floor(timeMs / 1000);
    if (second !== memoSecond) {
      memoSecond = second;
      text = format(second * 1000);
    }
    return text;
  };
}

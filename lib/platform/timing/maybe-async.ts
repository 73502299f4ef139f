/**
 * Functions for values that are in memory or have to be read first. A value in memory is used synchronously: on a hot
 * path, awaiting it would cost a promise and a turn of the event loop.
 */

/** Applies `map` to the value, synchronously if it is not a promise. */
export function mapMaybeAsync<Value, Result>(
  value: Value | Promise<Value>,
  map: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(map) : map(value);
}

/** All values in their order, synchronously if none is a promise. */
export function joinMaybeAsync<Value>(
  values: readonly (Value | Promise<Value>)[],
): readonly Value[] | Promise<Value[]> {
  const areValues = (each: readonly (Value | Promise<Value>)[]): each is readonly Value[] =>
    each.every((value) => !(value instanceof Promise));
  return areValues(values) ? values : Promise.all(values);
}

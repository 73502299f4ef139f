/**
 * What is in memory is used at once, what must be read first when it has come: a hot path that waited for what is
 * there would pay a turn of the event loop and a promise for it.
 */

export function whenHere<Value, Result>(
  value: Value | Promise<Value>,
  apply: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(apply) : apply(value);
}

/** All of them together, in their order. */
export function allWhenHere<Value>(values: readonly (Value | Promise<Value>)[]): readonly Value[] | Promise<Value[]> {
  const areHere = (each: readonly (Value | Promise<Value>)[]): each is readonly Value[] =>
    each.every((value) => !(value instanceof Promise));
  return areHere(values) ? values : Promise.all(values);
}

/**
 * Shifts the clock of a process by SHIFTED_CLOCK_MS milliseconds. Node loads this file before the program: its option
 * `--import` names it. Timers are not shifted.
 */

const shiftMs = Number(process.env.SHIFTED_CLOCK_MS);
const RealDate = Date;
const now = () => RealDate.now() + shiftMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, parts, created) => Reflect.construct(target, parts.length === 0 ? [now()] : parts, created),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
});

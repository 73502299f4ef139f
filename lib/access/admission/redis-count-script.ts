import { GRANTED_SHARE, LEAST_LEFT } from "@/lib/access/admission/grant-size";
import { redisScript } from "@/lib/platform/redis";

/** Other processes wait this long for the return of granted calls: a killed process returns none. */
const GRANT_MS = 1_000;

/**
 * Counts a batch of calls in shared windows, atomically.
 *
 * Each call has two or three keys (its minute, the day of its key if that has a limit, the day of its account) and eleven
 * numbers for each of them: the limit (-1: do not count, only add what is owed), the cost of the call, the calls that the
 * caller last read and their cost, the id of the counter they came from (0: none), the calls that the caller has counted
 * alone since and their cost, the milliseconds left of the window (0: unknown), 1 for a minute or 0 for a day, the
 * further calls that the caller would like to count alone (of the minute only), and how many it was granted before,
 * if they are returned: those that it has not made are part of what it owes, as a negative number.
 *
 * A counter is a hash: `used` calls at a `cost`, its `id`, the `base` at which it began, and the granted calls `out` that
 * are returned by `outUntil`. If Redis has lost a counter, a new one, with a new id, begins at the count that the first
 * caller last read. A later caller that had read a higher count raises it by the difference. A caller that read this same
 * counter adds only what it has counted alone.
 *
 * Returns six numbers for each window: whether the call was counted (0 or 1), the calls, their cost, the milliseconds
 * left, the id, the granted calls. A call that a window refuses is not counted in those after it. If the day of the
 * account refuses it, the day of the key gives it back (2). If a window is full of calls of which some were granted, it is
 * undecided (3), and those before it give the call back.
 */
export const countScript = redisScript(`
local time = redis.call('TIME')
local newId = string.format('%.0f', time[1] * 1000000 + time[2])
local nowMs = time[1] * 1000 + math.floor(time[2] / 1000)
local function count(key, first, lengthMs)
  local number = function(index) return tonumber(ARGV[first + index]) end
  local limit, known, knownCost, id, leftMs = number(0), number(2), number(3), ARGV[first + 4], number(7)
  local left = redis.call('PTTL', key)
  local used, cost, base, baseCost, ownId, out, outUntil = 0, 0, 0, 0, newId, 0, 0
  local isNew = left <= 0
  if isNew then
    used, cost, base, baseCost = known, knownCost, known, knownCost
    left = leftMs > 0 and leftMs or lengthMs
  else
    local fields = redis.call('HMGET', key, 'used', 'cost', 'base', 'baseCost', 'id', 'out', 'outUntil')
    used, cost, base, baseCost = tonumber(fields[1]), tonumber(fields[2]), tonumber(fields[3]), tonumber(fields[4])
    ownId, out, outUntil = fields[5], tonumber(fields[6] or '0'), tonumber(fields[7] or '0')
    if id == '0' then
      used, cost = math.max(used, known), math.max(cost, knownCost)
    elseif id ~= ownId then
      used, cost = used + math.max(0, known - base), cost + math.max(0, knownCost - baseCost)
      base, baseCost = math.max(base, known), math.max(baseCost, knownCost)
      if leftMs > 0 and leftMs < left then left = leftMs end
    else
      out = math.max(0, out - number(10))
    end
  end
  used, cost = math.max(0, used + number(5)), math.max(0, cost + number(6))
  local counted = 0
  if limit >= 0 then
    if used < limit then
      used, cost, counted = used + 1, cost + number(1), 1
    elseif out > 0 and nowMs < outUntil then
      counted = 3
    end
  end
  if not isNew or used > 0 or base > 0 then
    redis.call('HSET', key, 'used', used, 'cost', cost, 'base', base, 'baseCost', baseCost, 'id', ownId, 'out', out)
    if isNew or id ~= ownId then redis.call('PEXPIRE', key, left) end
  end
  return counted, used, cost, left, tonumber(ownId), 0
end
local answers = {}
local function answer(...)
  for _, value in ipairs({...}) do answers[#answers + 1] = value end
end
local function giveBack(window)
  local at, cost = window * 6 - 5, tonumber(ARGV[window * 11 - 9])
  if answers[at] ~= 1 then return end
  redis.call('HINCRBY', KEYS[window], 'used', -1)
  redis.call('HINCRBY', KEYS[window], 'cost', 0 - cost)
  answers[at], answers[at + 1], answers[at + 2] = 2, answers[at + 1] - 1, answers[at + 2] - cost
end
local function grant(from, to, wanted)
  local calls = wanted
  for window = from, to do
    local left = tonumber(ARGV[window * 11 - 10]) - answers[window * 6 - 4]
    if left < ${LEAST_LEFT} then return end
    calls = math.min(calls, math.floor(left / ${GRANTED_SHARE}))
  end
  for window = from, to do
    redis.call('HINCRBY', KEYS[window], 'used', calls)
    redis.call('HINCRBY', KEYS[window], 'out', calls)
    redis.call('HSET', KEYS[window], 'outUntil', nowMs + ${GRANT_MS})
    answers[window * 6 - 4], answers[window * 6] = answers[window * 6 - 4] + calls, calls
  end
end
local from = 1
while from <= #KEYS do
  local to = from
  while to < #KEYS and ARGV[to * 11 + 9] == '0' do to = to + 1 end
  local isRefused = false
  for window = from, to do
    local first = window * 11 - 10
    if isRefused then ARGV[first] = '-1' end
    answer(count(KEYS[window], first, window == from and 60000 or 172800000))
    local counted = answers[window * 6 - 5]
    if tonumber(ARGV[first]) >= 0 and counted ~= 1 then
      isRefused = true
      if counted == 3 then
        for earlier = from, window - 1 do giveBack(earlier) end
      elseif window - from == 2 then
        giveBack(from + 1)
      end
    end
  end
  local wanted = tonumber(ARGV[from * 11 - 1])
  if wanted > 0 and not isRefused then grant(from, to, wanted) end
  from = to + 1
end
return answers
`);

import { redisScript } from "@/lib/platform/redis";

/**
 * Counts a batch of calls in shared windows, atomically.
 *
 * Each call has two or three keys (its minute, the day of its key if that has a limit, the day of its account) and nine
 * numbers for each of them: the limit (-1: do not count, only add what is owed), the cost of the call, the calls that the
 * caller last read and their cost, the id of the counter they came from (0: none), the calls that the caller has counted
 * alone since and their cost, the milliseconds left of the window (0: unknown), and 1 for a minute or 0 for a day.
 *
 * A counter is a hash: `used` calls at a `cost`, its `id`, and the `base` at which it began. If Redis has lost a
 * counter, a new one, with a new id, begins at the count that the first caller last read. A later caller that had read a
 * higher count raises it by the difference. A caller that read this same counter adds only what it has counted alone.
 *
 * Returns five numbers for each window: whether the call was counted (0 or 1), the calls, their cost, the milliseconds
 * left, the id. A call that a window refuses is not counted in those after it. If the day of the account refuses it, the
 * day of the key gives it back (2).
 */
export const countScript = redisScript(`
local time = redis.call('TIME')
local newId = string.format('%.0f', time[1] * 1000000 + time[2])
local function count(key, first, lengthMs)
  local number = function(index) return tonumber(ARGV[first + index]) end
  local limit, known, knownCost, id, leftMs = number(0), number(2), number(3), ARGV[first + 4], number(7)
  local left = redis.call('PTTL', key)
  local used, cost, base, baseCost, ownId = 0, 0, 0, 0, newId
  local isNew = left <= 0
  if isNew then
    used, cost, base, baseCost = known, knownCost, known, knownCost
    left = leftMs > 0 and leftMs or lengthMs
  else
    local fields = redis.call('HMGET', key, 'used', 'cost', 'base', 'baseCost', 'id')
    used, cost, base, baseCost = tonumber(fields[1]), tonumber(fields[2]), tonumber(fields[3]), tonumber(fields[4])
    ownId = fields[5]
    if id == '0' then
      used, cost = math.max(used, known), math.max(cost, knownCost)
    elseif id ~= ownId then
      used, cost = used + math.max(0, known - base), cost + math.max(0, knownCost - baseCost)
      base, baseCost = math.max(base, known), math.max(baseCost, knownCost)
      if leftMs > 0 and leftMs < left then left = leftMs end
    end
  end
  used, cost = math.max(0, used + number(5)), math.max(0, cost + number(6))
  local counted = 0
  if limit >= 0 and used < limit then
    used, cost, counted = used + 1, cost + number(1), 1
  end
  if not isNew or used > 0 or base > 0 then
    redis.call('HSET', key, 'used', used, 'cost', cost, 'base', base, 'baseCost', baseCost, 'id', ownId)
    if isNew or id ~= ownId then redis.call('PEXPIRE', key, left) end
  end
  return counted, used, cost, left, tonumber(ownId)
end
local answers = {}
local function answer(...)
  for _, value in ipairs({...}) do answers[#answers + 1] = value end
end
local isRefused = false
for window = 1, #KEYS do
  local first, at = window * 9 - 8, window * 5 - 4
  local isMinute = ARGV[first + 8] == '1'
  if isMinute then isRefused = false end
  if isRefused then ARGV[first] = '-1' end
  answer(count(KEYS[window], first, isMinute and 60000 or 172800000))
  if tonumber(ARGV[first]) >= 0 and answers[at] == 0 then
    isRefused = true
    if not isMinute and ARGV[first - 1] == '0' and answers[at - 5] == 1 then
      local cost = tonumber(ARGV[first - 8])
      redis.call('HINCRBY', KEYS[window - 1], 'used', -1)
      redis.call('HINCRBY', KEYS[window - 1], 'cost', -cost)
      answers[at - 5], answers[at - 4], answers[at - 3] = 2, answers[at - 4] - 1, answers[at - 3] - cost
    end
  end
end
return answers
`);

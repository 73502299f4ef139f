import { redisScript } from "@/lib/platform/redis";

/**
 * Counts calls in the windows that several processes share: all calls of a batch in one step that nothing comes
 * between. A call has two keys, its minute window and its day, and for each of them eight numbers: the limit (-1: count
 * nothing, only settle), what the call costs, how many calls the caller knew of and what they cost, which counter it
 * heard that from (0: from none), how many it has counted by itself since and what they cost, and the milliseconds that
 * it thinks are left of the window (0: no idea).
 *
 * A counter is a hash: `used` calls at a `cost`, an `id` that callers are told, and the `base` that it began at. Where
 * Redis has lost a counter, a new one, with an id of its own, begins at what the first caller knew. A later one that
 * knew more raises it by the difference. A caller that heard from this very counter has nothing to add but what it
 * counted by itself.
 *
 * Answers five numbers for each window: whether it counted the call, how many it has and what they cost, the
 * milliseconds left, the id. A day does not count a call that its minute refuses.
 */
export const countScript = redisScript(`
local time = redis.call('TIME')
local newId = string.format('%.0f', time[1] * 1000000 + time[2])
local function count(key, first, lengthMs)
  local told = function(index) return tonumber(ARGV[first + index]) end
  local limit, known, knownCost, id, leftMs = told(0), told(2), told(3), ARGV[first + 4], told(7)
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
  used, cost = math.max(0, used + told(5)), math.max(0, cost + told(6))
  local counted = 0
  if limit >= 0 and used < limit then
    used, cost, counted = used + 1, cost + told(1), 1
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
for call = 0, #KEYS / 2 - 1 do
  local first, at = call * 16 + 1, call * 10 + 1
  answer(count(KEYS[call * 2 + 1], first, 60000))
  if tonumber(ARGV[first]) >= 0 and answers[at] == 0 then ARGV[first + 8] = '-1' end
  answer(count(KEYS[call * 2 + 2], first + 8, 172800000))
end
return answers
`);

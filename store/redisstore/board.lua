-- Reads a window of a board. Scores are stored negated, so ascending order has the best first, and ties by member.
--
-- KEYS
--   1 ranking  2 rows
-- ARGV
--   1 first row (from 0)  2 number of rows  3 member in the middle of the window ('' to use the first row)
-- Result
--   1 number of rows on the board  2 position of the first row returned  3 its rank (from 1; 0 if no row is returned)
--   then three for each row: member, negated score, data

local all = redis.call('ZCARD', KEYS[1])
local first, n = tonumber(ARGV[1]), tonumber(ARGV[2])
if ARGV[3] ~= '' then
  local at = redis.call('ZRANK', KEYS[1], ARGV[3])
  if not at then
    return {all, 0, 0}
  end
  first = math.max(0, math.min(at - math.floor(n / 2), all - n))
end
if n <= 0 or first >= all then
  return {all, first, 0}
end

local window = redis.call('ZRANGE', KEYS[1], first, first + n - 1, 'WITHSCORES')
local result = {all, first, 1 + redis.call('ZCOUNT', KEYS[1], '-inf', '(' .. window[2])}
for i = 1, #window, 2 do
  result[#result + 1] = window[i]
  result[#result + 1] = window[i + 1]
  result[#result + 1] = redis.call('HGET', KEYS[2], window[i]) or ''
end
return result

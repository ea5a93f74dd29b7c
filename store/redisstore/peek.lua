-- Returns how much work is waiting in a partition. It changes nothing.
--
-- KEYS
--   1 due  2 lease  3 expires  4 set  5 held
-- ARGV
--   1 now (ms)  2 time by which a document must have expired to be listed (ms)  3 largest number of those
--   4 jobs whose due time was set later than this are due now (ms)  5 leases that end later than this are over (ms)
--   6 whether to list the held jobs (1 or 0), then ids of jobs that are left to other processes
-- Result
--   1 number of jobs that can be claimed now  2 when the next one can be claimed (ms, '' if there is none)
--   3 names of expired documents  4 two for each held job, if listed: id, token

local waiting, soonest = 0, ''
for i = 1, 2 do
  waiting = waiting + redis.call('ZCOUNT', KEYS[i], '-inf', ARGV[1])
  local head = redis.call('ZRANGEBYSCORE', KEYS[i], '(' .. ARGV[1], '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
  if head[2] and (soonest == '' or tonumber(head[2]) < tonumber(soonest)) then
    soonest = head[2]
  end
end
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[4], '(' .. ARGV[4], '+inf', 'LIMIT', 0, ARGV[3])) do
  local at = redis.call('ZSCORE', KEYS[1], id)
  if at and tonumber(at) > tonumber(ARGV[1]) then
    waiting = waiting + 1
  end
end
waiting = waiting + redis.call('ZCOUNT', KEYS[2], '(' .. ARGV[5], '+inf')
for i = 7, #ARGV do
  for k = 1, 2 do
    local at = redis.call('ZSCORE', KEYS[k], ARGV[i])
    if at and tonumber(at) <= tonumber(ARGV[1]) then
      waiting = waiting - 1
    end
  end
end
local held = ARGV[6] == '1' and redis.call('HGETALL', KEYS[5]) or {}
return {waiting, soonest, redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', ARGV[2], 'LIMIT', 0, ARGV[3]), held}

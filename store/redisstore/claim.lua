-- Claims jobs that are due or whose lease has expired. Those that have waited longest come first.
--
-- KEYS
--   1 due  2 lease  3 held  4 wake  5 sequence  6 set
-- ARGV
--   1 now (ms)  2 end of the new leases (ms)  3 largest number of jobs
--   4 jobs whose due time was set later than this are due now (ms)  5 leases that end later than this are over (ms)
-- Result
--   nothing; or the common token of the jobs, then two for each job: id, time from which it could be claimed (ms)

local due, lease, held, wake, set = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[6]
local now, ends, limit = ARGV[1], ARGV[2], tonumber(ARGV[3])

for _, id in ipairs(redis.call('ZRANGEBYSCORE', set, '(' .. ARGV[4], '+inf', 'LIMIT', 0, limit)) do
  redis.call('ZADD', due, 'XX', 'LT', now, id)
  redis.call('ZREM', set, id)
end
for _, id in ipairs(redis.call('ZRANGEBYSCORE', lease, '(' .. ARGV[5], '+inf', 'LIMIT', 0, limit)) do
  redis.call('ZADD', lease, now, id)
end

local parked = redis.call('ZRANGEBYSCORE', due, '-inf', now, 'WITHSCORES', 'LIMIT', 0, limit)
local lost = redis.call('ZRANGEBYSCORE', lease, '-inf', now, 'WITHSCORES', 'LIMIT', 0, limit)
if #parked + #lost == 0 then
  return {}
end

local token = string.format('%d', redis.call('INCR', KEYS[5]))
local jobs = {token}
local p, l = 1, 1
while #jobs <= 2 * limit and (parked[p] or lost[l]) do
  local id, since
  if parked[p] and (not lost[l] or tonumber(parked[p + 1]) <= tonumber(lost[l + 1])) then
    id, since = parked[p], parked[p + 1]
    p = p + 2
    redis.call('ZREM', due, id)
    redis.call('ZREM', set, id)
  else
    id, since = lost[l], lost[l + 1]
    l = l + 2
    local woken = redis.call('HGET', wake, id)
    if woken and tonumber(woken) <= tonumber(now) then
      redis.call('HDEL', wake, id)
    end
  end
  redis.call('ZADD', lease, ends, id)
  redis.call('HSET', held, id, token)
  jobs[#jobs + 1] = id
  jobs[#jobs + 1] = since
end
return jobs

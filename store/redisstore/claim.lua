-- Claims jobs that are due or whose lease has expired. Those that have waited longest come first.
--
-- KEYS
--   1 due  2 lease  3 held  4 wake  5 set
-- ARGV
--   1 now (ms)  2 end of the new leases (ms)  3 largest number of jobs
--   4 jobs whose due time was set later than this are due now (ms)  5 leases that end later than this are over (ms)
--   6 token of the new leases, then ids of jobs that are left to other processes
-- Result
--   three for each job: id, time from which it could be claimed (ms), 1 if its last lease has expired, else 0

local due, lease, held, wake, set = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local now, ends, limit, token = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[6]

local left = {}
for i = 7, #ARGV do
  left[ARGV[i]] = true
end

for _, id in ipairs(redis.call('ZRANGEBYSCORE', set, '(' .. ARGV[4], '+inf', 'LIMIT', 0, limit)) do
  redis.call('ZADD', due, 'XX', 'LT', now, id)
  redis.call('ZREM', set, id)
end
for _, id in ipairs(redis.call('ZRANGEBYSCORE', lease, '(' .. ARGV[5], '+inf', 'LIMIT', 0, limit)) do
  redis.call('ZADD', lease, now, id)
end

local reach = limit + #ARGV - 6
local parked = redis.call('ZRANGEBYSCORE', due, '-inf', now, 'WITHSCORES', 'LIMIT', 0, reach)
local lost = redis.call('ZRANGEBYSCORE', lease, '-inf', now, 'WITHSCORES', 'LIMIT', 0, reach)

local jobs = {}
local p, l = 1, 1
while #jobs < 3 * limit and (parked[p] or lost[l]) do
  local id, since, free
  if parked[p] and (not lost[l] or tonumber(parked[p + 1]) <= tonumber(lost[l + 1])) then
    id, since, free = parked[p], parked[p + 1], true
    p = p + 2
  else
    id, since = lost[l], lost[l + 1]
    l = l + 2
  end
  if not left[id] then
    if free then
      redis.call('ZREM', due, id)
      redis.call('ZREM', set, id)
    else
      local woken = redis.call('HGET', wake, id)
      if woken and tonumber(woken) <= tonumber(now) then
        redis.call('HDEL', wake, id)
      end
    end
    redis.call('ZADD', lease, ends, id)
    redis.call('HSET', held, id, token)
    jobs[#jobs + 1] = id
    jobs[#jobs + 1] = since
    jobs[#jobs + 1] = free and '0' or '1'
  end
end
return jobs

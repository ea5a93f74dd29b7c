-- Deletes expired documents. A document that was renewed in the meantime stays.
--
-- KEYS
--   1 names  2 expires  3 sequence, then one for each name: the document
-- ARGV
--   1 time by which the documents have expired (ms), then their names
-- Result
--   number of deleted documents

local swept, last = 0, tonumber(redis.call('GET', KEYS[3]) or '0')
for i = 2, #ARGV do
  local ends = redis.call('ZSCORE', KEYS[2], ARGV[i])
  if ends and tonumber(ends) <= tonumber(ARGV[1]) then
    local version = tonumber(redis.call('GETRANGE', KEYS[i + 2], '0', '15'), 10)
    if version and version > last then
      last = version
      redis.call('SET', KEYS[3], string.format('%d', last))
    end
    redis.call('UNLINK', KEYS[i + 2])
    redis.call('ZREM', KEYS[1], ARGV[i])
    redis.call('ZREM', KEYS[2], ARGV[i])
    swept = swept + 1
  end
end
return swept

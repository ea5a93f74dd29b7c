-- Commits one change, all or nothing. It checks everything first and then writes. Its cost grows with the change alone.
--
-- KEYS
--   1 sequence  2 names  3 expires  4 due  5 lease  6 held  7 wake  8 set
--   then one for each write: the document; then two for each board: its ranking, its rows;
--   then one for each document to read
-- ARGV
--   1 now (ms)  2 number of writes  3 number of rows  4 number of marks
--   5 id of the job that is done ('' for none)  6 its token  7 when it is due next (ms, '' for never)
--   8 now by the caller's clock (ms; 1 is never earlier than the wall clock)
--   then four for each write: name, expected version (16 digits and 16 zeros; all zeros: the document must not exist;
--     '' for any), expiry (ms, 0 for never, '' to delete), document
--   then four for each row: number of its board (from 1), member, negated score ('' to delete), data
--   then two for each mark: id, due (ms)
--   then, to lease a job: id, due (ms), token, end of the lease (ms), number of documents to read
-- Result
--   0 done  1 conflict: a document's version differs from the expected one
--   2 fenced: the job has no lease with this token
--   3 done, and the job is leased; with documents to read, a list of that and of those documents
--
-- A document is a string: version (16 digits), expiry (16 digits of ms), data. The caller passes it with the version
-- that follows the expected one. If no version was expected, the script writes the version into the stored string,
-- because joining long strings in Lua would cost more than everything else. A version is a count of writes times 65536,
-- and a random number, which the caller chose (store.Following). A new document's count comes from the sequence. So that
-- no version is used again, deleting a document raises the sequence to its version.
--
-- Each document that is written is published by its key, on the sharded channel of that name. If the server doesn't know
-- such channels, or the user has no right to them, nothing is published.
--
-- If Redis is out of memory or may not write, it refuses the first write. After that nothing fails. So in the arguments,
-- documents to store must come before documents to delete.

local call = redis.call
local sequence, names, expires = KEYS[1], KEYS[2], KEYS[3]
local due, lease, held, wake, set = KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8]
local zeros = '0000000000000000'
local none = '00000000000000000000000000000000'
local writes, rows, marks = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local done, token, nextdue = ARGV[5], ARGV[6], ARGV[7]

if done ~= '' and call('HGET', held, done) ~= token then
  return 2
end

local heads = {}
for i = 1, writes do
  local head, expect = call('GETRANGE', KEYS[8 + i], '0', '31'), ARGV[6 + 4 * i]
  if head ~= expect and expect ~= '' then
    local version = zeros
    if head ~= '' then
      local ends = tonumber(string.sub(head, 17), 10)
      if ends == 0 or ends > tonumber(ARGV[1]) then
        version = string.sub(head, 1, 16)
      end
    end
    if version ~= string.sub(expect, 1, 16) then
      return 1
    end
  end
  heads[i] = head
end

for i = 1, writes do
  local key, head, at = KEYS[8 + i], heads[i], 5 + 4 * i
  local name, expect, ends = ARGV[at], ARGV[at + 1], ARGV[at + 2]
  local expiring = head ~= expect and head ~= '' and string.sub(head, 17) ~= zeros
  if ends ~= '' then
    call('SET', key, ARGV[at + 3])
    if expect == '' or expect == none then
      local last
      if head ~= '' then
        last = tonumber(string.sub(head, 1, 16), 10)
      else
        last = call('INCRBY', sequence, '65536') - 65536
        call('ZADD', names, '0', name)
      end
      local first = tonumber(string.sub(ARGV[at + 3], 1, 16), 10)
      call('SETRANGE', key, '0', string.format('%016d', last - last % 65536 + first))
    end
    if ends ~= '0' then
      call('ZADD', expires, ends, name)
    elseif expiring then
      call('ZREM', expires, name)
    end
  elseif head ~= '' then
    local version = tonumber(string.sub(head, 1, 16), 10)
    if version > tonumber(call('GET', sequence) or '0') then
      call('SET', sequence, string.format('%d', version))
    end
    call('UNLINK', key)
    call('ZREM', names, name)
    if expiring then
      call('ZREM', expires, name)
    end
  end
end

for i = 1, writes do
  redis.pcall('SPUBLISH', KEYS[8 + i], '')
end

local at = 9 + 4 * writes
for i = 1, rows do
  local board = 8 + writes + 2 * (tonumber(ARGV[at]) - 1)
  if ARGV[at + 2] == '' then
    call('ZREM', KEYS[board + 1], ARGV[at + 1])
    call('HDEL', KEYS[board + 2], ARGV[at + 1])
  else
    call('ZADD', KEYS[board + 1], ARGV[at + 2], ARGV[at + 1])
    call('HSET', KEYS[board + 2], ARGV[at + 1], ARGV[at + 3])
  end
  at = at + 4
end

if done ~= '' then
  call('HDEL', held, done)
  call('ZREM', lease, done)
  local woken = call('HGET', wake, done)
  if woken then
    call('HDEL', wake, done)
    if nextdue == '' or tonumber(woken) < tonumber(nextdue) then
      nextdue = woken
    end
  end
  if nextdue ~= '' then
    call('ZADD', due, nextdue, done)
    call('ZADD', set, ARGV[8], done)
  end
end

-- marked makes a held job due after its release.
local function marked(id, when)
  local ends = call('ZSCORE', lease, id)
  if ends and tonumber(ARGV[8]) > tonumber(ends) and tonumber(ends) < tonumber(when) then
    when = ends
  end
  local woken = call('HGET', wake, id)
  if not woken or tonumber(when) < tonumber(woken) then
    call('HSET', wake, id, when)
  end
end

for i = 1, marks do
  local id, when = ARGV[at], ARGV[at + 1]
  if call('HEXISTS', held, id) == 1 then
    marked(id, when)
  elseif call('ZADD', due, 'LT', 'CH', when, id) == 1 or tonumber(call('ZSCORE', due, id)) < tonumber(ARGV[8]) then
    call('ZADD', set, ARGV[8], id)
  end
  at = at + 2
end

local hold = ARGV[at]
if not hold then
  return 0
end
if call('HSETNX', held, hold, ARGV[at + 2]) == 1 then
  call('ZREM', due, hold)
  call('ZREM', set, hold)
  call('ZADD', lease, ARGV[at + 3], hold)
  local reads = tonumber(ARGV[at + 4])
  if reads == 0 then
    return 3
  end
  local answer = call('MGET', unpack(KEYS, #KEYS - reads + 1))
  table.insert(answer, 1, 3)
  return answer
end
marked(hold, ARGV[at + 1])
return 0

-- Does one change, all or nothing: looks at everything first, then writes. It works in proportion to the change.
--
-- KEYS
--   1 sequence  2 names  3 expires  4 due  5 lease  6 held  7 wake
--   then one document a write, then two a board: its ranking, its rows
-- ARGV
--   1 now (ms)  2 number of writes  3 number of rows  4 number of marks
--   5 id of the job that is done ('' none)  6 its token  7 when it is due next (ms, '' not by itself)
--   then four a write: name, expected version (16 digits, then 16 zeros; zeros: none; '' any),
--     expires (ms, 0 never; '' deletes), document
--   then four a row: which board (from 1), member, negated score ('' deletes), data
--   then two a mark: id, at (ms)
--   then, if a job is to be held: id, at (ms), token, when the lease ends (ms)
-- Result
--   0 done  1 conflict: an expected version does not stand  2 fenced: the job is not held under this token
--   3 done, and the job is held
--
-- A document is a string: version (16 digits), expires (16 digits of ms), data. It comes with the version after the one
-- expected; where none was expected it gets its own in place, for to join long strings in Lua would cost more than all
-- the rest. A new document's version comes from the sequence, which a deleted one's therefore raises; so do tokens.
--
-- Redis refuses the first write if it is out of memory or may not write; after it nothing fails. So documents that are
-- written come before those that are deleted.

local call = redis.call
local sequence, names, expires = KEYS[1], KEYS[2], KEYS[3]
local due, lease, held, wake = KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local zeros = '0000000000000000'
local none = '00000000000000000000000000000000'
local writes, rows, marks = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local done, token, nextdue = ARGV[5], ARGV[6], ARGV[7]

if done ~= '' and call('HGET', held, done) ~= token then
  return 2
end

local heads = {}
for i = 1, writes do
  local head, expect = call('GETRANGE', KEYS[7 + i], '0', '31'), ARGV[5 + 4 * i]
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
  local key, head, at = KEYS[7 + i], heads[i], 4 + 4 * i
  local name, expect, ends = ARGV[at], ARGV[at + 1], ARGV[at + 2]
  local expiring = head ~= expect and head ~= '' and string.sub(head, 17) ~= zeros
  if ends ~= '' then
    call('SET', key, ARGV[at + 3])
    if expect == '' or expect == none then
      local version
      if head ~= '' then
        version = tonumber(string.sub(head, 1, 16), 10) + 1
      else
        version = call('INCR', sequence)
        call('ZADD', names, '0', name)
      end
      call('SETRANGE', key, '0', string.format('%016d', version))
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

local at = 8 + 4 * writes
for i = 1, rows do
  local board = 7 + writes + 2 * (tonumber(ARGV[at]) - 1)
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
  end
end

for i = 1, marks do
  local id, when = ARGV[at], ARGV[at + 1]
  if call('HEXISTS', held, id) == 1 then
    local woken = call('HGET', wake, id)
    if not woken or tonumber(when) < tonumber(woken) then
      call('HSET', wake, id, when)
    end
  else
    call('ZADD', due, 'LT', when, id)
  end
  at = at + 2
end

local hold = ARGV[at]
if not hold then
  return 0
end
if call('HSETNX', held, hold, ARGV[at + 2]) == 1 then
  call('ZREM', due, hold)
  call('ZADD', lease, ARGV[at + 3], hold)
  return 3
end
local woken = call('HGET', wake, hold)
if not woken or tonumber(ARGV[at + 1]) < tonumber(woken) then
  call('HSET', wake, hold, ARGV[at + 1])
end
return 0

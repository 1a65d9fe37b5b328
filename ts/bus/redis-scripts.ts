import { MAX_ENVELOPE_BYTES, MAX_FORGOTTEN_AT_ONCE, PUBLISHES_PER_FORGETTING } from './limits.js';

/** A Lua script for Redis. */
export type Script = string;

/** The digests by which Redis knows scripts. */
const digests = new Map<Script, string>();

/** The digest of a script. The module for hashing is loaded here, so that importing Handrail stays cheap. */
export async function digestOf(script: Script): Promise<string> {
  const knownDigest = digests.get(script);
  if (knownDigest !== undefined) return knownDigest;
  const { createHash } = await import('node:crypto');
  const digest = createHash('sha1').update(script).digest('hex');
  digests.set(script, digest);
  return digest;
}

/**
 * Stores one message on several topics, on each once. All checks come before the first write, so that a refused message
 * is stored nowhere.
 *
 * KEYS: the topics; then for each topic its book; then for each the topic of its dead letters, which for a
 * topic of dead letters is the topic itself. ARGV: id, message, milliseconds for which the id is remembered, most
 * entries or 0, factor by which more entries are kept for a slow group, most entries to remove, most dead letters,
 * current time, most ids that are remembered, milliseconds after which an entry is removed or 0, milliseconds after
 * which an unread group is removed, milliseconds for which a book is kept. Returns two lists: for each topic 1 when the message was stored and 0 when it was there already, and
 * the number of dead letters that were written. Or returns `reused` or `no_stream` when nothing may be stored.
 */
export const PUBLISH_SCRIPT: Script = `
local count = #KEYS / 3
local most = tonumber(ARGV[4])
local max_age = tonumber(ARGV[10])
local bound = most > 0 and most or math.huge
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function age_of(place)
  return now - tonumber(string.match(place, '^(%d+)-'))
end

-- The place at which a book has an id, and the number under which the id comes to be forgotten.
local function known_place(book, id)
  local value = redis.call('HGET', book, 'i:' .. id)
  if not value then return nil end
  return string.match(value, '^(%S+) (%d+)$')
end

-- The ids of a book have numbers in the order in which they came. The first ones are forgotten.
local function remember(book, place)
  local last = redis.call('HINCRBY', book, 'last', 1)
  redis.call('HSET', book, 'i:' .. ARGV[1], place .. ' ' .. last, 'n:' .. last, ARGV[1])
  redis.call('PEXPIRE', book, ARGV[12])
  -- Not with each message, because it takes as long as the rest.
  if last % ${PUBLISHES_PER_FORGETTING} ~= 0 then return end
  local begin = tonumber(redis.call('HGET', book, 'first') or 1)
  local first = begin
  while first < last and first - begin < ${MAX_FORGOTTEN_AT_ONCE} do
    local id = redis.call('HGET', book, 'n:' .. first)
    local known, number = known_place(book, id or '')
    local is_current = known and tonumber(number) == first
    if is_current and last - first < tonumber(ARGV[9]) and age_of(known) < tonumber(ARGV[3]) then break end
    redis.call('HDEL', book, 'n:' .. first)
    if is_current then redis.call('HDEL', book, 'i:' .. id) end
    first = first + 1
  end
  if first ~= begin then redis.call('HSET', book, 'first', first) end
end

local function usable(key)
  local kind = redis.call('TYPE', key)['ok']
  return kind == 'stream' or kind == 'none'
end

local function below(one, other)
  if #one ~= #other then return #one < #other end
  return one < other
end

-- Whether a place stands behind another. A Lua number would not hold all of one.
local function behind(one, other)
  local ms, seq = string.match(one, '^(%d+)-(%d+)$')
  local other_ms, other_seq = string.match(other, '^(%d+)-(%d+)$')
  if ms ~= other_ms then return below(other_ms, ms) end
  return below(other_seq, seq)
end

local function groups_of(key)
  local groups = {}
  for _, info in ipairs(redis.call('XINFO', 'GROUPS', key)) do
    local group = {}
    for i = 1, #info, 2 do group[info[i]] = info[i + 1] end
    groups[#groups + 1] = group
  end
  return groups
end

-- How often a group was given an entry that it has not done with; nothing when it has.
local function unhandled(key, group, place)
  if behind(place, group['last-delivered-id']) then return 0 end
  if group['pending'] == 0 then return nil end
  local held = redis.call('XPENDING', key, group['name'], place, place, 1)[1]
  return held and held[4]
end

-- Whether nobody has read a group for too long. Of a group that is in no book the time begins now.
local function is_unread(key, book, group)
  local field = 'g:' .. group['name']
  local seen = tonumber(redis.call('HGET', book, field) or now)
  if now - seen < tonumber(ARGV[11]) then
    if seen == now then redis.call('HSET', book, field, string.format('%.0f', now)) end
    return false
  end
  for _, info in ipairs(redis.call('XINFO', 'CONSUMERS', key, group['name'])) do
    local consumer = {}
    for i = 1, #info, 2 do consumer[info[i]] = info[i + 1] end
    seen = math.max(seen, now - consumer['idle'])
  end
  redis.call('HSET', book, field, string.format('%.0f', seen))
  return now - seen >= tonumber(ARGV[11])
end

local function remove_group(key, book, letters, name)
  redis.call('XGROUP', 'DESTROY', key, name)
  redis.call('HDEL', book, 'g:' .. name)
  local text = '{"event":"group_expired","topic":' .. cjson.encode(key) .. ',"group":' .. cjson.encode(name) ..
    ',"created_at":"' .. ARGV[8] .. '"}'
  local id = redis.sha1hex(key .. ' ' .. name .. ' ' .. ARGV[8])
  redis.call('XADD', letters, 'MAXLEN', '~', ARGV[7], '*', 'id', id, 'payload', text)
end

local function letter(key, group, entry, deliveries, reason)
  local id, text = entry[1], ''
  for i = 1, #entry[2], 2 do
    if entry[2][i] == 'id' then id = entry[2][i + 1] end
    if entry[2][i] == 'payload' then text = entry[2][i + 1] end
  end
  -- Other writers may store what is a number to Lua and none in JSON, such as NaN and 0x1F.
  local strict = cjson.new()
  strict.decode_invalid_numbers(false)
  local readable, value = pcall(strict.decode, text)
  local content = '"raw":' .. cjson.encode(string.sub(text, 1, ${MAX_ENVELOPE_BYTES}))
  if readable and type(value) == 'table' and string.find(text, '^%s*{') then content = '"payload":' .. text end
  return '{"event":"dead_letter","id":' .. cjson.encode(id) .. ',"topic":' .. cjson.encode(key) ..
    ',"group":' .. cjson.encode(group) .. ',"reason":"' .. reason .. '","deliveries":' .. deliveries .. ',' .. content ..
    ',"created_at":"' .. ARGV[8] .. '"}'
end

-- Entries are looked at one by one: a large one that has to stay is read once, not with those behind it.
local function make_room(key, book, letters)
  local length = redis.call('XLEN', key)
  if length <= bound and max_age == 0 then return 0 end
  local groups
  local place, removed, written = '-', 0, 0
  while removed < tonumber(ARGV[6]) do
    local entry = redis.call('XRANGE', key, place, '+', 'COUNT', 1)[1]
    local is_old = max_age > 0 and age_of(entry[1]) >= max_age
    if length - removed <= bound and not is_old then break end
    groups = groups or groups_of(key)
    local missed = {}
    for index = #groups, 1, -1 do
      local group = groups[index]
      local deliveries = unhandled(key, group, entry[1])
      if deliveries and is_unread(key, book, group) then
        remove_group(key, book, letters, group['name'])
        table.remove(groups, index)
      elseif deliveries then
        table.insert(missed, 1, { group['name'], deliveries })
      end
    end
    if #missed > 0 and not is_old and length - removed <= bound * tonumber(ARGV[5]) then break end
    for _, one in ipairs(missed) do
      written = written + 1
      local text = letter(key, one[1], entry, one[2], is_old and 'expired' or 'trimmed')
      local id = redis.sha1hex(key .. ' ' .. entry[1] .. ' ' .. one[1])
      redis.call('XADD', letters, 'MAXLEN', '~', ARGV[7], '*', 'id', id, 'payload', text)
      redis.call('XACK', key, one[1], entry[1])
    end
    removed = removed + 1
    place = '(' .. entry[1]
  end
  if removed > 0 then redis.call('XTRIM', key, 'MAXLEN', length - removed) end
  return written
end

local known = {}
for i = 1, count do
  if not usable(KEYS[i]) or ((most > 0 or max_age > 0) and not usable(KEYS[2 * count + i])) then return 'no_stream' end
  known[i] = known_place(KEYS[count + i], ARGV[1])
  if known[i] and age_of(known[i]) >= tonumber(ARGV[3]) then known[i] = nil end
  if known[i] then
    local entry = redis.call('XRANGE', KEYS[i], known[i], known[i])[1]
    if entry and entry[2][4] ~= ARGV[2] then return 'reused' end
  end
end
local stored, given_up = {}, {}
for i = 1, count do
  stored[i], given_up[i] = 0, 0
  if not known[i] then
    local letters = KEYS[2 * count + i]
    local entry = redis.call('XADD', KEYS[i], '*', 'id', ARGV[1], 'payload', ARGV[2])
    remember(KEYS[count + i], entry)
    stored[i] = 1
    if most > 0 and letters == KEYS[i] then redis.call('XTRIM', letters, 'MAXLEN', '~', ARGV[7]) end
    if letters == KEYS[i] and max_age > 0 then
      redis.call('XTRIM', letters, 'MINID', '~', string.format('%.0f', now - max_age))
    end
    if letters ~= KEYS[i] then given_up[i] = make_room(KEYS[i], KEYS[count + i], letters) end
  end
end
return { stored, given_up }
`;

/**
 * Creates a group that begins with the first entry, unless there is one, and removes consumers that hold nothing and
 * have not been active for long.
 *
 * KEYS: topic, its book. ARGV: group, milliseconds, milliseconds for which the book is kept.
 */
export const JOIN_SCRIPT: Script = `
local made = redis.pcall('XGROUP', 'CREATE', KEYS[1], ARGV[1], '0', 'MKSTREAM')
if type(made) == 'table' and made['err'] then
  if not string.find(made['err'], 'BUSYGROUP', 1, true) then return made end
end
redis.call('HSET', KEYS[2], 'g:' .. ARGV[1], string.format('%.0f', redis.call('TIME')[1] * 1000))
redis.call('PEXPIRE', KEYS[2], ARGV[3])
for _, consumer in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])) do
  local name, pending, idle = consumer[2], consumer[4], consumer[6]
  if pending == 0 and idle > tonumber(ARGV[2]) then
    redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], name)
  end
end
return 1
`;

/**
 * Renews the lease of an entry that this consumer still holds, and counts a delivery if asked.
 *
 * KEYS: topic. ARGV: group, consumer, entry, 1 to count. Returns the number of deliveries, 0 when another consumer
 * holds the entry.
 */
export const RENEW_SCRIPT: Script = `
local entry = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[3], ARGV[3], 1)[1]
if not entry or entry[2] ~= ARGV[2] then return 0 end
if ARGV[4] == '1' then
  redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[3])
  return entry[4] + 1
end
redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[3], 'JUSTID')
return entry[4]
`;

/**
 * Stores a dead letter and acknowledges its entry. A repeated call does nothing.
 *
 * KEYS: topic, topic of dead letters. ARGV: group, entry, id, dead letter, most dead letters.
 */
export const DEAD_LETTER_SCRIPT: Script = `
if redis.call('XACK', KEYS[1], ARGV[1], ARGV[2]) == 0 then return 0 end
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[5], '*', 'id', ARGV[3], 'payload', ARGV[4])
return 1
`;

/**
 * Ends the leases of a consumer, so that others take its entries over at once. A consumer that holds nothing is
 * removed.
 *
 * KEYS: topic, its book. ARGV: group, consumer, an idle time in milliseconds that is longer than any lease, most
 * entries, milliseconds for which the book is kept.
 */
export const LEAVE_SCRIPT: Script = `
local held = redis.call('XPENDING', KEYS[1], ARGV[1], '-', '+', ARGV[4], ARGV[2])
for _, entry in ipairs(held) do
  redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, entry[1], 'IDLE', ARGV[3], 'JUSTID')
end
if #held == 0 then redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], ARGV[2]) end
redis.call('HSET', KEYS[2], 'g:' .. ARGV[1], string.format('%.0f', redis.call('TIME')[1] * 1000))
redis.call('PEXPIRE', KEYS[2], ARGV[5])
return #held
`;

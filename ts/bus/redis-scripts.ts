import { MAX_ENVELOPE_BYTES } from './limits.js';

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
 * KEYS: the topics; then for each topic its key for this id; then for each the topic of its dead letters, which for a
 * topic of dead letters is the topic itself. ARGV: id, message, milliseconds for which the id is remembered, most
 * entries or 0, factor by which more entries are kept for a slow group, most entries to remove, most dead letters,
 * current time. Returns two lists: for each topic 1 when the message was stored and 0 when it was there already, and
 * the number of dead letters that were written. Or returns `reused` or `no_stream` when nothing may be stored.
 */
export const PUBLISH_SCRIPT: Script = `
local count = #KEYS / 3
local most = tonumber(ARGV[4])

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

local function letter(key, group, entry, deliveries)
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
    ',"group":' .. cjson.encode(group) .. ',"reason":"trimmed","deliveries":' .. deliveries .. ',' .. content ..
    ',"created_at":"' .. ARGV[8] .. '"}'
end

-- Entries are looked at one by one: a large one that has to stay is read once, not with those behind it.
local function make_room(key, letters)
  local length = redis.call('XLEN', key)
  if length <= most then return 0 end
  local groups = groups_of(key)
  local place, removed, written = '-', 0, 0
  while length - removed > most and removed < tonumber(ARGV[6]) do
    local entry = redis.call('XRANGE', key, place, '+', 'COUNT', 1)[1]
    local missed = {}
    for _, group in ipairs(groups) do
      local deliveries = unhandled(key, group, entry[1])
      if deliveries then missed[#missed + 1] = { group['name'], deliveries } end
    end
    if #missed > 0 and length - removed <= most * tonumber(ARGV[5]) then break end
    for _, one in ipairs(missed) do
      written = written + 1
      local text = letter(key, one[1], entry, one[2])
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
  if not usable(KEYS[i]) or (most > 0 and not usable(KEYS[2 * count + i])) then return 'no_stream' end
  known[i] = redis.call('GET', KEYS[count + i])
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
    redis.call('SET', KEYS[count + i], entry, 'PX', ARGV[3])
    stored[i] = 1
    if most > 0 and letters == KEYS[i] then redis.call('XTRIM', letters, 'MAXLEN', '~', ARGV[7]) end
    if most > 0 and letters ~= KEYS[i] then given_up[i] = make_room(KEYS[i], letters) end
  end
end
return { stored, given_up }
`;

/**
 * Creates a group that begins with the first entry, unless there is one, and removes consumers that hold nothing and
 * have not been active for long.
 *
 * KEYS: topic. ARGV: group, milliseconds.
 */
export const JOIN_SCRIPT: Script = `
local made = redis.pcall('XGROUP', 'CREATE', KEYS[1], ARGV[1], '0', 'MKSTREAM')
if type(made) == 'table' and made['err'] then
  if not string.find(made['err'], 'BUSYGROUP', 1, true) then return made end
end
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
 * KEYS: topic. ARGV: group, consumer, an idle time in milliseconds that is longer than any lease, most entries.
 */
export const LEAVE_SCRIPT: Script = `
local held = redis.call('XPENDING', KEYS[1], ARGV[1], '-', '+', ARGV[4], ARGV[2])
for _, entry in ipairs(held) do
  redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, entry[1], 'IDLE', ARGV[3], 'JUSTID')
end
if #held == 0 then redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], ARGV[2]) end
return #held
`;

/** A script of Redis. */
export type Script = string;

/** Names that scripts are called by once the server has them. */
const digests = new Map<Script, string>();

/** The name of a script. What it is made with is loaded here: importing Handrail does not pay for it. */
export async function digestOf(script: Script): Promise<string> {
  const known = digests.get(script);
  if (known !== undefined) return known;
  const { createHash } = await import('node:crypto');
  const digest = createHash('sha1').update(script).digest('hex');
  digests.set(script, digest);
  return digest;
}

/**
 * Stores one message on several topics, on each once: what is looked at comes before what is
 * written, so that nothing is stored where something is refused.
 *
 * KEYS: the topics, then for each its key for this id. ARGV: id, message, milliseconds the id is
 * remembered, most entries or 0. Gives for each topic 1 where it was stored, 0 where it had been;
 * `reused` or `no_stream` where nothing may be stored.
 */
export const PUBLISH: Script = `
local count = #KEYS / 2
local known = {}
for i = 1, count do
  local kind = redis.call('TYPE', KEYS[i])['ok']
  if kind ~= 'stream' and kind ~= 'none' then return 'no_stream' end
  known[i] = redis.call('GET', KEYS[count + i])
  if known[i] then
    local entry = redis.call('XRANGE', KEYS[i], known[i], known[i])[1]
    if entry and entry[2][4] ~= ARGV[2] then return 'reused' end
  end
end
local stored = {}
for i = 1, count do
  stored[i] = 0
  if not known[i] then
    local entry
    if ARGV[4] == '0' then
      entry = redis.call('XADD', KEYS[i], '*', 'id', ARGV[1], 'payload', ARGV[2])
    else
      entry = redis.call('XADD', KEYS[i], 'MAXLEN', '~', ARGV[4], '*', 'id', ARGV[1], 'payload', ARGV[2])
    end
    redis.call('SET', KEYS[count + i], entry, 'PX', ARGV[3])
    stored[i] = 1
  end
end
return stored
`;

/**
 * Makes a group that begins with the first entry, where there is none, and forgets consumers that
 * hold nothing and were not seen for long.
 *
 * KEYS: topic. ARGV: group, milliseconds.
 */
export const JOIN: Script = `
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
 * Holds an entry for another while, if it is still this consumer's, and counts a delivery if asked.
 *
 * KEYS: topic. ARGV: group, consumer, entry, 1 to count. Gives the number of deliveries, 0 when the
 * entry is somebody else's.
 */
export const HOLD: Script = `
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
 * Stores a dead letter and is done with its entry. A second try does nothing.
 *
 * KEYS: topic, topic of dead letters. ARGV: group, entry, id, dead letter, most dead letters.
 */
export const BURY: Script = `
if redis.call('XACK', KEYS[1], ARGV[1], ARGV[2]) == 0 then return 0 end
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[5], '*', 'id', ARGV[3], 'payload', ARGV[4])
return 1
`;

/**
 * Lets every entry of a consumer look abandoned, so that others take it at once; a consumer that
 * holds nothing is forgotten.
 *
 * KEYS: topic. ARGV: group, consumer, milliseconds that no lease is longer than, most entries.
 */
export const LEAVE: Script = `
local held = redis.call('XPENDING', KEYS[1], ARGV[1], '-', '+', ARGV[4], ARGV[2])
for _, entry in ipairs(held) do
  redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, entry[1], 'IDLE', ARGV[3], 'JUSTID')
end
if #held == 0 then redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], ARGV[2]) end
return #held
`;

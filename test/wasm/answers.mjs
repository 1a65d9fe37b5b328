// What a copy of the API answers to cases that are data: the same file runs in every host, so it needs nothing but the
// language. Bytes are text in base64.

const toBytes = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

function toBase64(bytes) {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

function streamed(redactor, bytes, cuts) {
  const stream = redactor.stream();
  const ends = [...cuts, bytes.length];
  const parts = ends.map((end, index) =>
    toBase64(stream.write(bytes.subarray(index === 0 ? 0 : ends[index - 1], end))),
  );
  return { parts, last: toBase64(stream.end()), findings: stream.findings, counts: stream.counts };
}

const WITH_REDACTOR = {
  redact: (redactor, { text }) => redactor.redact(text),
  scan: (redactor, { text }) => redactor.scan(text),
  redactBytes: (redactor, { base64 }) => toBase64(redactor.redactBytes(toBytes(base64))),
  stream: (redactor, { base64, cuts }) => streamed(redactor, toBytes(base64), cuts),
  notes: (redactor) => redactor.ruleNotes,
};

const WITHOUT = {
  sanitize: (api, { base64 }) => api.sanitize(toBytes(base64)),
  stripAnsi: (api, { text }) => api.stripAnsi(text),
  truncateOutput: (api, { text, maxChars }) => api.truncateOutput(text, maxChars),
  boundOutput: (api, { text, options }) => api.boundOutput(text, options),
  excerptOutput: (api, { text, tokens }) => api.excerptOutput(text, { tokens }),
  explain: (api, { command, options }) => api.explain(command, options),
};

/**
 * @param {Pick<typeof import('../../ts/wasm/index.js'), 'Redactor' | keyof typeof WITHOUT>} api
 * @param {readonly import('./cases.js').Case[]} cases
 * @returns {({value: unknown} | {error: string, message: string})[]}
 */
export function answers(api, cases) {
  /** By their options: making one costs milliseconds. */
  const redactors = new Map();
  const redactorFor = (options = {}) => {
    const key = JSON.stringify(options);
    if (!redactors.has(key)) redactors.set(key, new api.Redactor(options));
    return redactors.get(key);
  };
  return cases.map((one) => {
    try {
      const call = WITH_REDACTOR[one.call];
      return { value: call ? call(redactorFor(one.options), one) : WITHOUT[one.call](api, one) };
    } catch (error) {
      return { error: error.code ?? 'none', message: error.message };
    }
  });
}

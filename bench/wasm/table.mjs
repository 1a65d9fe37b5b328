// The figures of `bench/results/wasm.json` as the table that is published.
const NONE = '';
const whole = (value) => Math.round(value).toLocaleString('en-US');
const rate = (value) => (value < 10 ? value.toFixed(1) : whole(value));
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;

function speedRows({ log, source }) {
  return [
    ...Object.keys(log.rows).map((name) => [
      `${name}, MB/s`,
      rate(log.rows[name].median),
      rate(source.rows[name].median),
    ]),
    ...Object.keys(log.toNative).map((way) => [
      `${way}, WASM to native`,
      `${log.toNative[way]}x`,
      `${source.toNative[way]}x`,
    ]),
  ];
}

function startRows({ node, chromium }) {
  const rows = (host, figures) => [
    [`ready in ${host}, ms`, figures.readyMs.median.toFixed(0), NONE],
    [`first text masked in ${host}, ms`, figures.firstMaskMs.median.toFixed(0), NONE],
  ];
  return [...rows('Node', node), ...(chromium === undefined ? [] : rows('Chromium', chromium))];
}

/** @param {Record<string, object>} measured by the names of the parts */
export function wasmTable({ size, start, speed }) {
  return {
    columns: ['', 'log', 'source'],
    rows: [
      ...(speed === undefined ? [] : speedRows(speed)),
      ...(start === undefined ? [] : startRows(start)),
      ...(size === undefined
        ? []
        : [
            ['handrail.wasm, gzipped', `${megabytes(size.bytes)}, ${megabytes(size.gzipped)}`, NONE],
            ['its JavaScript, gzipped', megabytes(size.codeGzipped), NONE],
          ]),
    ],
  };
}

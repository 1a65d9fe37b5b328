// Renders the figures of `bench/results/wasm.json` as the table that is published.
import { formatSpeed } from '../lib/table.mjs';

const EMPTY_CELL = '';
const formatMegabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;

function speedRows({ log, source }) {
  return [
    ...Object.keys(log.rows).map((name) => [
      `${name}, MB/s`,
      formatSpeed(log.rows[name].median),
      formatSpeed(source.rows[name].median),
    ]),
    ...Object.keys(log.toNative).map((operation) => [
      `${operation}, WASM to native`,
      `${log.toNative[operation]}x`,
      `${source.toNative[operation]}x`,
    ]),
  ];
}

function startRows({ node, chromium }) {
  const rows = (host, figures) => [
    [`ready in ${host}, ms`, figures.readyMs.median.toFixed(0), EMPTY_CELL],
    [`first text masked in ${host}, ms`, figures.firstMaskMs.median.toFixed(0), EMPTY_CELL],
  ];
  return [...rows('Node', node), ...(chromium === undefined ? [] : rows('Chromium', chromium))];
}

/** @param {Record<string, object>} measured figures by the names of the parts */
export function wasmTable({ size, start, speed }) {
  return {
    columns: ['', 'log', 'source'],
    rows: [
      ...(speed === undefined ? [] : speedRows(speed)),
      ...(start === undefined ? [] : startRows(start)),
      ...(size === undefined
        ? []
        : [
            ['handrail.wasm, gzipped', `${formatMegabytes(size.bytes)}, ${formatMegabytes(size.gzipped)}`, EMPTY_CELL],
            ['its JavaScript, gzipped', formatMegabytes(size.codeGzipped), EMPTY_CELL],
          ]),
    ],
  };
}

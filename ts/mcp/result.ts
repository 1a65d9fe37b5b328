import { firstChars } from '../redaction/fit.js';
import type { Redactor } from '../redaction/redactor.js';
import { TextRedactor } from '../redaction/text-redactor.js';
import { isDeeperThan, jsonBytes, mapTexts, shownText, visibleText } from './clean.js';
import type { McpBlock, McpData } from './data.js';
import { MAX_KIND_CHARS, MAX_SCHEMA_DEPTH } from './limits.js';
import { isObject } from './schema-shape.js';

/** The fields of a result that come from the answer. */
export type McpAnswer = Pick<McpData, 'text' | 'blocks' | 'structured' | 'bytes' | 'redactions' | 'truncated'>;

const KIB = 1_024;
const MIB = KIB * KIB;

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const BASE64_GROUP = 4;

const TOO_DEEP = '[structured content that is nested too deep]';

/** Checks and masks an answer, and says whether the tool reports a failure. */
export function answerOf(redactor: Redactor, result: unknown): McpAnswer & { readonly failed: boolean } {
  if (!isObject(result)) throw new Error('it is no object');
  const { content = [], structuredContent, isError = false } = result;
  if (!Array.isArray(content)) throw new Error('its content is no list');
  const maskedBlocks = content.map((block) => readBlock(redactor, block));
  const structured = structuredOf(redactor, structuredContent);
  const parts = maskedBlocks.map(blockParts);
  const lines = parts.flat();
  if (structuredContent !== undefined && !maskedBlocks.some(({ type }) => type === 'text')) {
    lines.push(structured === undefined ? TOO_DEEP : JSON.stringify(structured, undefined, 2));
  }
  // Masked as one text, because a name and its secret may stand in two blocks.
  const maskedView = TextRedactor.redactParts(redactor, lines);
  let at = 0;
  const blocks = maskedBlocks.map((block, index) => {
    at += parts[index]?.length ?? 0;
    const text = maskedView.parts[at - 1] ?? '';
    return maskedBlock(block, (value, field) => {
      if (field !== 'text') return redactor.redact(value);
      return maskedBlocks.length === 1 ? text : redactor.redact(text);
    });
  });
  return {
    text: maskedView.text,
    blocks,
    ...(structured === undefined ? {} : { structured }),
    bytes: jsonBytes(result),
    redactions: maskedView.redactions,
    truncated: false,
    // Anything but `false` counts as a failure.
    failed: isError !== false && isError !== null,
  };
}

/**
 * Reads one block of a result: its texts become what a terminal would show. For an invalid block it gives one that says
 * why, so that the other blocks of the result are still read.
 */
function readBlock(redactor: Redactor, block: unknown): McpBlock {
  if (!isObject(block)) return unreadable('content that is no object');
  const { type, text, data, mimeType, resource, uri, name } = block;
  switch (type) {
    case 'text':
      return typeof text === 'string' ? { type, text: shownText(text) } : unreadable('a text without its text');
    case 'image':
    case 'audio':
      if (!isBase64(data)) return unreadable(`an ${type} without data in base64`);
      if (typeof mimeType !== 'string') return unreadable(`an ${type} without its mimeType`);
      return { mimeType: visibleText(mimeType), type, data, bytes: decodedBytes(data) };
    case 'resource':
      return resourceBlock(resource);
    case 'resource_link':
      if (typeof uri !== 'string' || typeof name !== 'string') return unreadable('a link without its uri and name');
      return { type, uri: visibleText(uri), name: visibleText(name), ...mimeTypeOf(mimeType) };
    default:
      return unreadable(
        typeof type === 'string'
          ? `content of the unknown type ${firstChars(redactor.redact(visibleText(type)), MAX_KIND_CHARS)}`
          : 'content without a type',
      );
  }
}

function resourceBlock(resource: unknown): McpBlock {
  const { uri, mimeType, text, blob } = isObject(resource) ? resource : {};
  if (typeof uri !== 'string') return unreadable('a resource without its uri');
  const common = { type: 'resource', uri: visibleText(uri), ...mimeTypeOf(mimeType) } as const;
  if (typeof text === 'string') {
    const visible = shownText(text);
    return { ...common, text: visible, bytes: Buffer.byteLength(visible) };
  }
  if (isBase64(blob)) return { ...common, blob, bytes: decodedBytes(blob) };
  return unreadable('a resource with neither a text nor data in base64');
}

function unreadable(reason: string): McpBlock {
  return { type: 'unreadable', reason };
}

function mimeTypeOf(mimeType: unknown): { readonly mimeType?: string } {
  return typeof mimeType === 'string' ? { mimeType: visibleText(mimeType) } : {};
}

/** Whether a value is valid base64. Programs pass it on, and invalid data would fail elsewhere. */
function isBase64(value: unknown): value is string {
  return typeof value === 'string' && value.length % BASE64_GROUP === 0 && BASE64.test(value);
}

function maskedBlock(block: McpBlock, mask: (text: string, field: string) => string): McpBlock {
  const maskedFields = Object.entries(block).map(([field, value]) =>
    typeof value === 'string' && field !== 'data' && field !== 'blob' && field !== 'type'
      ? [field, mask(value, field)]
      : [field, value],
  );
  return Object.fromEntries(maskedFields) as McpBlock;
}

/** The parts of a block's text for a model. Where the block has a text, that is the last of them. */
function blockParts(block: McpBlock): readonly string[] {
  switch (block.type) {
    case 'text':
      return [block.text];
    case 'image':
    case 'audio':
      return [`[${block.mimeType} ${sizeText(block.bytes)}]`];
    case 'resource':
      return block.text === undefined
        ? [`[resource ${block.uri}: ${block.mimeType ?? 'data'} ${sizeText(block.bytes)}]`]
        : [`[resource ${block.uri}]`, block.text];
    case 'resource_link':
      return [`[link to ${block.name}: ${block.uri}]`];
    case 'unreadable':
      return [`[left out: ${block.reason}]`];
  }
}

/** Structured content, masked as one document, in which the name of a field can mark its value as secret. */
function structuredOf(redactor: Redactor, structured: unknown): unknown {
  if (structured === undefined || isDeeperThan(structured, MAX_SCHEMA_DEPTH)) return undefined;
  const visible = mapTexts(structured, shownText);
  try {
    return JSON.parse(redactor.redact(JSON.stringify(visible)));
  } catch {
    // A mask for a pattern of the host may break the JSON. Then every text is masked by itself.
    return mapTexts(visible, (text) => redactor.redact(text));
  }
}

function decodedBytes(base64: string): number {
  return Buffer.byteLength(base64, 'base64');
}

/** A size such as `12 bytes`, `34 KB` or `1.5 MB`. */
function sizeText(bytes: number): string {
  if (bytes < KIB) return `${bytes} bytes`;
  return bytes < MIB ? `${Math.round(bytes / KIB)} KB` : `${(bytes / MIB).toFixed(1)} MB`;
}

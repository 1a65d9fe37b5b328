import type { CallToolResult } from '@modelcontextprotocol/client';
import type { Redactor } from '../redaction/redactor.js';
import { boundToChars } from '../terminal/bounding.js';
import { isDeeperThan, mapTexts, shownText, visibleText } from './clean.js';
import type { McpBlock, McpData } from './data.js';
import { MAX_SCHEMA_DEPTH } from './limits.js';

/** What an answer is made of, before it is known whose it is. */
export type McpAnswer = Pick<McpData, 'text' | 'blocks' | 'structured' | 'bytes' | 'redactions' | 'truncated'>;

const KIB = 1_024;
const MIB = KIB * KIB;

const TOO_DEEP = '[structured content that is nested too deep]';

/** An answer as programs and models get it. */
export function answerOf(redactor: Redactor, result: CallToolResult, maxChars: number): McpAnswer {
  const raw = result.content.map(rawBlock);
  const structured = structuredOf(redactor, result.structuredContent);
  const lines = raw.map(lineOf);
  if (result.structuredContent !== undefined && !raw.some(({ type }) => type === 'text')) {
    lines.push(structured === undefined ? TOO_DEEP : JSON.stringify(structured, undefined, 2));
  }
  // As one text: a name and its value may stand in two blocks.
  const view = lines.join('\n');
  const bounded = boundToChars(redactor.redact(view), maxChars);
  return {
    text: bounded.text,
    blocks: raw.map((block) => maskedBlock(redactor, block)),
    ...(structured === undefined ? {} : { structured }),
    bytes: Buffer.byteLength(JSON.stringify(result)),
    redactions: redactor.scan(view).length,
    truncated: bounded.truncated,
  };
}

/** A block with its texts as a terminal would show them. */
function rawBlock(block: CallToolResult['content'][number]): McpBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: shownText(block.text) };
    case 'image':
    case 'audio':
      return { ...named(block), type: block.type, data: block.data, bytes: decodedBytes(block.data) };
    case 'resource': {
      const { resource } = block;
      const common = { type: 'resource', uri: visibleText(resource.uri), ...mimeTypeOf(resource) } as const;
      if ('text' in resource) {
        const text = shownText(resource.text);
        return { ...common, text, bytes: Buffer.byteLength(text) };
      }
      return { ...common, blob: resource.blob, bytes: decodedBytes(resource.blob) };
    }
    case 'resource_link':
      return {
        type: 'resource_link',
        uri: visibleText(block.uri),
        name: visibleText(block.name),
        ...mimeTypeOf(block),
      };
  }
}

function named({ mimeType }: { readonly mimeType: string }): { readonly mimeType: string } {
  return { mimeType: visibleText(mimeType) };
}

function mimeTypeOf({ mimeType }: { readonly mimeType?: string | undefined }): { readonly mimeType?: string } {
  return mimeType === undefined ? {} : named({ mimeType });
}

function maskedBlock(redactor: Redactor, block: McpBlock): McpBlock {
  const masked = Object.entries(block).map(([field, value]) =>
    typeof value === 'string' && field !== 'data' && field !== 'blob' && field !== 'type'
      ? [field, redactor.redact(value)]
      : [field, value],
  );
  return Object.fromEntries(masked) as McpBlock;
}

/** What a model reads of a block. */
function lineOf(block: McpBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.mimeType} ${sizeText(block.bytes)}]`;
    case 'resource':
      return block.text === undefined
        ? `[resource ${block.uri}: ${block.mimeType ?? 'data'} ${sizeText(block.bytes)}]`
        : `[resource ${block.uri}]\n${block.text}`;
    case 'resource_link':
      return `[link to ${block.name}: ${block.uri}]`;
  }
}

/** Masked as one document, where a name tells what its value is. */
function structuredOf(redactor: Redactor, structured: unknown): unknown {
  if (structured === undefined || isDeeperThan(structured, MAX_SCHEMA_DEPTH)) return undefined;
  const shown = mapTexts(structured, shownText);
  try {
    return JSON.parse(redactor.redact(JSON.stringify(shown)));
  } catch {
    // A pattern of the host may break JSON; then every text is masked by itself.
    return mapTexts(shown, (text) => redactor.redact(text));
  }
}

function decodedBytes(base64: string): number {
  return Buffer.byteLength(base64, 'base64');
}

/** `12 bytes`, `34 KB`, `1.5 MB`. */
function sizeText(bytes: number): string {
  if (bytes < KIB) return `${bytes} bytes`;
  return bytes < MIB ? `${Math.round(bytes / KIB)} KB` : `${(bytes / MIB).toFixed(1)} MB`;
}

import { gunzipSync } from 'node:zlib';
import type { ToolOutputImage } from '@openai/agents';
import { SandboxWorkspaceReadNotFoundError } from '@openai/agents/sandbox';

/** Most bytes of a picture for a model, as in the SDK. */
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

/** The first bytes of pictures. */
const SIGNATURES: readonly { readonly type: string; readonly at?: number; readonly bytes: readonly string[] }[] = [
  { type: 'image/png', bytes: ['\x89PNG\r\n\x1a\n'] },
  { type: 'image/jpeg', bytes: ['\xff\xd8\xff'] },
  { type: 'image/gif', bytes: ['GIF87a', 'GIF89a'] },
  { type: 'image/webp', at: 8, bytes: ['WEBP'] },
  { type: 'image/bmp', bytes: ['BM'] },
  { type: 'image/tiff', bytes: ['II*\0', 'MM\0*', 'MM\0+'] },
];

/**
 * A file as a picture for a model.
 *
 * @param content Undefined: the file is too large.
 * @param svg Reads the file as a text, secrets masked.
 * @param mask Masks the text of a compressed SVG.
 * @throws SandboxWorkspaceReadNotFoundError For what is no picture, or too large, in words that the SDK's tool knows.
 */
export async function imageOf(
  name: string,
  content: Uint8Array | undefined,
  { svg, mask }: { readonly svg: () => Promise<string>; readonly mask: (text: string) => string },
): Promise<ToolOutputImage> {
  if (content === undefined) throw new SandboxWorkspaceReadNotFoundError(`Image file exceeds the 10 MB limit: ${name}`);
  const start = Buffer.from(content.subarray(0, 512)).toString('latin1');
  const known = SIGNATURES.find(({ at = 0, bytes }) => bytes.some((signature) => start.startsWith(signature, at)));
  if (known !== undefined) return { type: 'image', image: { data: Uint8Array.from(content), mediaType: known.type } };
  // Reads the beginning of a file of the workspace.
  const isSvg = /^\s*(<\?xml.*)?<svg/is.test(start) || name.toLowerCase().endsWith('.svg');
  const text = isSvg ? await svg() : unzippedSvg(name, content);
  if (text === undefined) {
    throw new SandboxWorkspaceReadNotFoundError(`Unsupported image format for view_image: ${name}`);
  }
  return { type: 'image', image: { data: Buffer.from(isSvg ? text : mask(text)), mediaType: 'image/svg+xml' } };
}

/** The text of a compressed SVG. Undefined where it is none, or too large. */
function unzippedSvg(name: string, content: Uint8Array): string | undefined {
  if (!name.toLowerCase().endsWith('.svgz')) return undefined;
  try {
    return gunzipSync(content, { maxOutputLength: MAX_IMAGE_BYTES }).toString();
  } catch {
    return undefined;
  }
}

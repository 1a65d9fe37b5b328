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
 * @param maskedText Reads it as a text, for SVG.
 * @throws SandboxWorkspaceReadNotFoundError For what is no picture, or too large, in words that the SDK's tool knows.
 */
export async function imageOf(
  name: string,
  content: Uint8Array | undefined,
  maskedText: () => Promise<string>,
): Promise<ToolOutputImage> {
  if (content === undefined) throw new SandboxWorkspaceReadNotFoundError(`Image file exceeds the 10 MB limit: ${name}`);
  const start = Buffer.from(content.subarray(0, 512)).toString('latin1');
  const known = SIGNATURES.find(({ at = 0, bytes }) => bytes.some((signature) => start.startsWith(signature, at)));
  if (known !== undefined) return { type: 'image', image: { data: Uint8Array.from(content), mediaType: known.type } };
  // Reads the beginning of a file of the workspace.
  if (!(/^\s*(<\?xml.*)?<svg/is.test(start) || name.toLowerCase().endsWith('.svg'))) {
    throw new SandboxWorkspaceReadNotFoundError(`Unsupported image format for view_image: ${name}`);
  }
  return { type: 'image', image: { data: Buffer.from(await maskedText()), mediaType: 'image/svg+xml' } };
}

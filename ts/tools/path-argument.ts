import * as z from 'zod/mini';
import { MAX_PATH_CHARS } from './limits.js';

/** An argument that is a path. Whether it may be used is judged by the engine that opens it. */
export function pathArgument(description: string) {
  return z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(MAX_PATH_CHARS),
      z.regex(/^[^\0]*$/, 'must not contain NUL'),
      z.describe(description),
    );
}

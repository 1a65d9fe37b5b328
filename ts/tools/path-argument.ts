import * as z from 'zod/mini';
import { MAX_PATH_CHARS } from './limits.js';

/** The schema of an argument that is a path. The engine that opens the path decides whether it may be used. */
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

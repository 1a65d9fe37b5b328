import * as z from 'zod/mini';

/** The argument `hidden`: whether a search looks at hidden files. */
export const HIDDEN_ARGUMENT = z.optional(
  z.boolean().check(z.describe('Whether to look at names that begin with a dot too. Default: false.')),
);

/** The argument `ignored`: whether a search looks at ignored files. */
export const IGNORED_ARGUMENT = z.optional(
  z.boolean().check(z.describe('Whether to look at what .gitignore leaves out too. Default: false.')),
);

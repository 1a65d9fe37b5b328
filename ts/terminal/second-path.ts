/**
 * The key of a second path of a root: commands find the root by it as well, in their view of the file system. The first name
 * of that path is one that this machine does not have. No public option sets it.
 */
export const SHOWN_AS: unique symbol = Symbol('handrail.shownAs');

/** A root with a second path. */
export interface ShownRoot {
  readonly path: string;
  readonly mode?: 'rw' | 'ro' | undefined;
  readonly [SHOWN_AS]?: string | undefined;
}

/** The key that says of a root that refusals do not name it as a place to work in. No public option sets it. */
export const UNNAMED: unique symbol = Symbol('handrail.unnamed');

/** Whether refusals name a root as a place to work in. */
export function isNamed(root: string | object): boolean {
  return typeof root === 'string' || (root as { readonly [UNNAMED]?: boolean })[UNNAMED] !== true;
}

/** The second path of a root. Undefined where it has none. */
export function secondPathOf(root: string | object): string | undefined {
  return typeof root === 'string' ? undefined : (root as ShownRoot)[SHOWN_AS];
}

/**
 * Advice of the library in words of the command line. The library speaks of options of its API and of the host that sets
 * them; here the person who reads is the host, and options are flags.
 */
const REPLACEMENTS: readonly (readonly [advice: RegExp, words: string])[] = [
  [
    /A host can list this use \(program and args\), or name the program in trustInterpreters\./g,
    "Name this use in --allow ('PROGRAM ARGUMENTS'), or the program in --trust as well.",
  ],
  [/; a host can name the (shell|interpreter) in trustInterpreters\./g, '; or name the $1 in --trust as well.'],
  [/; the host can add (.+?) to `path`/g, '; add $1 with --path'],
  [
    /The host lifts this with a further root, or `confine: \{ writes: 'any' \}`\./g,
    'A further --root or --writes any lifts this.',
  ],
  [/`allow: \['([^']*)', \.\.\.\]`/g, '--allow $1'],
  [/`confine: \{ (writes|exec|network|remove): '([a-z-]+)' \}`/g, '--$1 $2'],
  [/`confine\.(writes|exec|network|remove)`/g, '--$1'],
  // Last: the flags are in their places by now.
  [/The host lifts this with (.+?)\.(?=[\])\s]|$)/g, '$1 lifts this.'],
];

/** `text` with flags in the place of options of the API. */
export function withFlagNames(text: string): string {
  return REPLACEMENTS.reduce((changed, [advice, words]) => changed.replace(advice, words), text);
}

/** Attempts to read protected places: each reader at each place, and what is special. */

/** A row of bash: `$F` a file in a protected place, `$D` its folder or the file itself, `$O` a path in the root, `$H` the home. */
export interface ReadAttempt {
  readonly id: string;
  readonly program: string;
  readonly script: string;
  /** Beneath the home. */
  readonly file: string;
  /** Whether only a namespace holds it. */
  readonly namespaceOnly?: true;
  /** Made anew by the host before the row runs, because the row would take it away. */
  readonly isOwn?: true;
  /** Removed and made anew by the host after all other rows, while a worker is idle that had covered it. */
  readonly isAnew?: true;
}

/** Protected files of the home. The folder `.gnupg` is a link to one elsewhere. */
export const PLACES = ['.ssh/id_ed25519', '.aws/credentials', '.netrc', '.gnupg/secring'] as const;

const READERS: Readonly<Record<string, string>> = {
  cat: 'cat "$F"',
  cp: 'cp "$F" "$O"; cat "$O"',
  'cp -rL': 'cp -rL "$D" "$O"',
  tar: 'tar chf "$O" "$D"',
  git: 'git diff --no-index /dev/null "$F"',
  python3: 'python3 -c "import sys; print(open(sys.argv[1]).read())" "$F"',
  node: 'node -p "require(\'fs\').readFileSync(process.argv[1], \'utf8\')" "$F"',
  sed: 'sed -n p "$F"',
  dd: 'dd if="$F" status=none',
  ln: 'ln "$F" "$O"; cat "$O"',
  'ln -s': 'ln -s "$F" "$O"; cat "$O"',
  'cat by the root of a process': 'cat "/proc/self/root$F"',
  'cat by an open file': 'exec 3<"$F"; cat /proc/self/fd/3',
  'cat by an open folder': 'exec 3<"$D"; cat "/proc/self/fd/3/$(basename "$F")" || cat <&3',
  'cat in the folder': 'cd "$(dirname "$F")" && cat "$(basename "$F")"',
  grep: 'grep -r . "$D"',
  awk: 'awk 1 "$F"',
  perl: 'perl -pe 1 "$F"',
  bash: 'echo "$(<"$F")"',
  find: 'find -L "$D" -type f -exec cat {} ";"',
  base64: 'base64 "$F" | base64 -d',
};

const SPECIAL: readonly ReadAttempt[] = [
  {
    id: 'a file that was made later in a protected folder',
    program: 'cat',
    script: 'cat "$F"',
    file: '.ssh/later',
    isOwn: true,
  },
  {
    id: 'a protected file that came to be between two runs',
    program: 'cat',
    script: 'cat "$F"',
    file: '.my.cnf',
    isOwn: true,
  },
  {
    id: 'a protected folder that is moved into the root',
    program: 'mv',
    script: 'mv "$D" "$O"; cat "$O"/*',
    file: '.azure/token',
    isOwn: true,
  },
  {
    id: 'a protected file that is moved into the root',
    program: 'mv',
    script: 'mv "$F" "$O"; cat "$O"',
    file: '.pgpass',
    isOwn: true,
  },
  {
    id: 'a protected folder that was removed and made anew',
    program: 'cat',
    script: 'cat "$F"',
    file: '.kube/config',
    isAnew: true,
  },
  {
    id: 'a protected file that was removed and made anew',
    program: 'cat',
    script: 'cat "$F"',
    file: '.vault-token',
    isAnew: true,
  },
  {
    id: 'a folder that a link leads to and that was removed and made anew',
    program: 'cat',
    script: 'cat "$F"',
    file: '.password-store/key',
    isAnew: true,
  },
  { id: 'a login of a package manager', program: 'cat', script: 'cat "$F"', file: '.npmrc' },
  {
    id: 'the state of an agent',
    program: 'cat',
    script: 'cat "$F"',
    file: '.claude/history.jsonl',
  },
  { id: 'a history', program: 'tail', script: 'tail "$F"', file: '.bash_history' },
  { id: 'the state of a browser', program: 'head', script: 'head "$F"', file: '.mozilla/cookies' },
];

export const READ_ATTEMPTS: readonly ReadAttempt[] = [
  ...PLACES.flatMap((file) =>
    Object.entries(READERS).map(([name, script]) => ({
      id: `${name}: ${file}`,
      program: name.split(' ')[0] ?? name,
      script,
      file,
    })),
  ),
  ...SPECIAL,
];

/** What is no protected place. `$N` is a file that was made after the first run. */
export const READABLE: readonly ReadAttempt[] = [
  { id: 'a file of the home', program: 'cat', script: 'cat "$F"', file: 'plain.txt' },
  { id: 'the folder of the home', program: 'ls', script: 'ls "$H" > /dev/null && cat "$F"', file: 'plain.txt' },
  { id: 'a folder beside one of programs', program: 'cat', script: 'cat "$F"', file: '../tools/other/token' },
  { id: 'an environment file of the root', program: 'cat', script: 'cat "$F"', file: 'work/.env' },
  { id: 'a file that was made in the root', program: 'cp', script: 'cp "$F" "$O" && cat "$O"', file: 'work/plain.txt' },
  {
    id: 'a file that was made later in the home',
    program: 'cat',
    script: 'cat "$F"',
    file: 'later.txt',
    isOwn: true,
    namespaceOnly: true,
  },
];

// The checks of the files of a package that do not depend on their content.

/** The largest native file has 4 MB. A file above this limit was not stripped, or contains something that does not belong there. */
export const MAX_FILE_BYTES = 12 * (1 << 20);

/** File names that every system reads alike and that are not hidden: no `..`, no `.npmrc`, no `node_modules`. */
const PLAIN_NAME = /^(?!node_modules$)\w[\w.-]*$/i;
const FILE_MODE = 0o644;
const PROGRAM_MODE = 0o755;

const octal = (mode) => mode.toString(8);

function modeProblem({ path, mode }, programs) {
  if (programs.includes(path)) return mode === PROGRAM_MODE ? [] : [`${path} has the mode ${octal(mode)}, not 755`];
  const isUsual = mode === FILE_MODE || mode === PROGRAM_MODE;
  return isUsual ? [] : [`${path} has the mode ${octal(mode)}, neither 644 nor 755`];
}

function fileProblems(file, programs) {
  const { path, bytes } = file;
  const problems = modeProblem(file, programs);
  if (!path.split('/').every((name) => PLAIN_NAME.test(name)))
    problems.push(`${path} is no name for a file of a package`);
  if (bytes.length === 0) problems.push(`${path} is empty`);
  if (bytes.length > MAX_FILE_BYTES) {
    problems.push(`${path} has ${bytes.length} bytes, at most ${MAX_FILE_BYTES} are allowed`);
  }
  return problems;
}

/** Duplicate names, also names that differ only in case, which are one file on macOS. */
function duplicateProblems(paths) {
  const first = new Map();
  return paths.flatMap((path) => {
    const folded = path.toLowerCase();
    const duplicate = first.get(folded);
    if (duplicate === undefined) first.set(folded, path);
    if (duplicate === undefined) return [];
    return [duplicate === path ? `${path} is in it twice` : `${path} and ${duplicate} are one file on some machines`];
  });
}

/**
 * @param {import('./tarball.mjs').PackedFile[]} files
 * @param {{needed: string[], programs: string[]}} expected
 * @returns {string[]} one sentence per problem
 */
export function filesProblems(files, { needed, programs }) {
  const paths = files.map(({ path }) => path);
  return [
    ...needed.filter((path) => !paths.includes(path)).map((path) => `${path} is missing`),
    ...paths.filter((path) => !needed.includes(path)).map((path) => `${path} does not belong in it`),
    ...duplicateProblems(paths),
    ...files.flatMap((file) => fileProblems(file, programs)),
  ];
}

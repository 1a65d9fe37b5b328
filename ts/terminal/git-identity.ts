import { askGit } from './git-program.js';

/** The settings that are handed over. Others may name programs. */
const KEYS = ['user.name', 'user.email', 'init.defaultbranch', 'core.autocrlf'];

/** Scopes whose settings commands find by themselves, or that belong to our own call. */
const OWN_SCOPES = ['local', 'worktree', 'command'];

/**
 * The name and address of commits, the first branch of a new repository and the line ends, as git resolves them for the
 * host's user in this folder, `includeIf` included and the repository's own settings left out: the content of a
 * `.gitconfig`. Empty where git does not answer.
 *
 * @param git The path of git.
 * @param folder The folder in which it is asked.
 * @param isHarmless Whether a value holds no secret that is known by its form.
 */
export function gitIdentity(git: string, folder: string, isHarmless: (value: string) => boolean): string {
  const pattern = `^(${KEYS.join('|').replaceAll('.', '\\.')})$`;
  const args = ['config', '--includes', '--show-scope', '-z', '--get-regexp', pattern];
  const stdout = askGit(git, folder, args) ?? '';
  const values = new Map<string, string>();
  const parts = stdout.split('\0');
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const [scope = '', setting = ''] = [parts[index], parts[index + 1]];
    const lineEnd = setting.indexOf('\n');
    const key = setting.slice(0, lineEnd);
    const value = setting.slice(lineEnd + 1);
    if (lineEnd > 0 && KEYS.includes(key) && !OWN_SCOPES.includes(scope) && isHarmless(value)) values.set(key, value);
  }
  return [...values].map(([key, value]) => settingText(key, value)).join('');
}

function settingText(key: string, value: string): string {
  const [section = '', name = ''] = key.split('.');
  const quoted = value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  return `[${section}]\n\t${name} = "${quoted}"\n`;
}

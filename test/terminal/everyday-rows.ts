/** Everyday work in a small project: what is listed, what works under the default plan, and what says which option lifts it. */
import type { TerminalOptions } from '../../ts/index.js';

/** A command, and what comes of it. */
export interface Step {
  readonly command: string;
  /** What the answer names in a refusal; undefined for a command that works. */
  readonly lifts?: string;
  /** What it writes, where that matters. */
  readonly says?: string;
}

export interface Row {
  readonly name: string;
  /** Lists, and what else the host says. Roots are the project. */
  readonly options: Omit<TerminalOptions, 'roots' | 'shell' | 'env' | 'path'>;
  /** Programs that a machine may lack. */
  readonly needs: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** Run by bash before, by the host itself. */
  readonly setup: string;
  readonly steps: readonly Step[];
}

const ok = (command: string, says?: string): Step => ({ command, ...(says === undefined ? {} : { says }) });
const refused = (command: string, lifts: string): Step => ({ command, lifts });
const use = (program: string, ...args: string[]) => ({ program, args });

const ANY = "confine: { exec: 'any' }";
const SH = "allow: ['sh', ...]";
const REMOVE = "confine: { remove: 'yes' }";

const REPOSITORY = `git init -q -b main .
echo one > keep; echo one > changes; echo one > gone; git add .; git commit -qm one
git checkout -qb other; git rm -q gone; echo two > changes; mkdir new; echo two > new/file; git add .; git commit -qm two
git checkout -q main`;

const clean = ok('git status --porcelain', '');
const GIT_WORK: readonly Step[] = [
  ok('git checkout other'),
  clean,
  ok('git checkout main'),
  clean,
  ok('echo changed > keep'),
  ok('git commit -am changed'),
  ok('echo more > keep'),
  ok('git stash'),
  clean,
  ok('git stash pop'),
  ok('git commit -am more'),
  ok('git rebase other'),
  ok('git log --format=%s', 'more\nchanged\ntwo\none\n'),
  clean,
];

const NPM_PROJECT = {
  'package.json': JSON.stringify({
    name: 'project',
    version: '1.0.0',
    scripts: { test: 'node --test', tool: 'tool' },
    dependencies: { dependency: 'file:dependency' },
  }),
  'package-lock.json': JSON.stringify({
    name: 'project',
    version: '1.0.0',
    lockfileVersion: 3,
    packages: {
      '': { name: 'project', version: '1.0.0', dependencies: { dependency: 'file:dependency' } },
      dependency: { version: '1.0.0', bin: { tool: 'tool.js' } },
      'node_modules/dependency': { resolved: 'dependency', link: true },
    },
  }),
  'dependency/package.json': JSON.stringify({
    name: 'dependency',
    version: '1.0.0',
    main: 'main.js',
    bin: { tool: 'tool.js' },
  }),
  'dependency/main.js': 'module.exports = 1;\n',
  'dependency/tool.js': '#!/usr/bin/env node\nconsole.log("tool");\n',
  'project.test.js': 'require("node:test")("one", () => { if (require("dependency") !== 1) throw new Error(); });\n',
};
const NPM_CI = 'npm ci --offline --no-audit --no-fund';
const NPM_USES = [use('npm', 'ci'), use('npm', 'test'), use('npm', 'run')];

const CARGO_PROJECT = {
  'Cargo.toml': '[package]\nname = "project"\nversion = "0.1.0"\nedition = "2021"\n',
  'src/lib.rs': 'pub fn one() -> u8 { 1 }\n#[test]\nfn is_one() { assert_eq!(one(), 1) }\n',
  'src/main.rs': 'fn main() { println!("{}", project::one()) }\n',
};
const CARGO_USES = [use('cargo', 'build'), use('cargo', 'test'), use('cargo', 'run')];

const C_PROJECT = {
  'main.c': '#include <stdio.h>\nint main(void) { puts("ran"); return 0; }\n',
  'library.c': 'int one(void) { return 1; }\n',
  Makefile: `prog: main.c
	gcc -o prog main.c
run: prog
	./prog
text: main.c
	gcc -c main.c && gcc -o prog main.o
other:
	id
`,
};

const PYTHON = {
  'writes.py':
    'import pathlib, sqlite3\npathlib.Path("out").write_text("x")\nsqlite3.connect("db").execute("create table t (x)")\n',
  'many.py': `import multiprocessing
from multiprocessing import shared_memory

def square(x):
    return x * x

if __name__ == "__main__":
    with multiprocessing.Lock():
        pass
    with multiprocessing.Pool(2) as pool:
        print(pool.map(square, [1, 2]))
    memory = shared_memory.SharedMemory(create=True, size=8)
    memory.close()
    memory.unlink()
`,
  'loads.py': 'import ctypes\nprint(ctypes.CDLL("./library.so").one())\n',
};

function row(name: string, options: Row['options'], steps: readonly Step[], extra: Partial<Row> = {}): Row {
  return { needs: [], files: {}, setup: '', ...extra, name, options, steps };
}

export const ROWS: readonly Row[] = [
  row('git', { allow: ['git', 'echo'] }, [...GIT_WORK, refused('git clone -q . copy', SH)], { setup: REPOSITORY }),
  row(
    'git where removing is denied',
    { deny: ['rm'], trustInterpreters: ['sh'] },
    [...GIT_WORK, refused('mv keep kept', REMOVE), refused("sh -c 'unlink keep'", REMOVE), clean],
    { setup: REPOSITORY },
  ),
  row(
    'git with a repository beside it',
    { allow: ['git', 'sh'] },
    [ok('git clone -q . copy'), ok('git -C copy log --format=%s', 'one\n'), ok('git fetch -q ./copy')],
    { setup: REPOSITORY },
  ),
  row('npm', { allow: NPM_USES }, [ok(NPM_CI), ok('npm test'), refused('npm run tool', ANY)], {
    files: NPM_PROJECT,
    needs: ['npm'],
  }),
  row(
    'npm with programs of packages',
    { allow: NPM_USES, confine: { exec: 'any' } },
    [ok(NPM_CI), ok('npm run tool')],
    {
      files: NPM_PROJECT,
      needs: ['npm'],
    },
  ),
  row('npm where removing is denied', { deny: ['rm'] }, [ok(NPM_CI), ok(NPM_CI), ok('npm test')], {
    files: NPM_PROJECT,
    needs: ['npm'],
  }),
  row('cargo', { allow: CARGO_USES }, [ok('cargo build --offline'), refused('cargo run -q --offline', ANY)], {
    files: CARGO_PROJECT,
    needs: ['cargo', 'cc'],
  }),
  row(
    'cargo with what it built',
    { allow: CARGO_USES, confine: { exec: 'any' } },
    [ok('cargo test -q --offline'), ok('cargo run -q --offline', '1\n')],
    { files: CARGO_PROJECT, needs: ['cargo', 'cc'] },
  ),
  row(
    'cargo where removing is denied',
    { deny: ['rm'] },
    [
      ok('cargo build --offline'),
      ok('echo "// changed" >> src/main.rs'),
      ok('cargo build --offline'),
      refused('mv Cargo.toml moved', REMOVE),
    ],
    { files: CARGO_PROJECT, needs: ['cargo', 'cc'] },
  ),
  row('pytest', { allow: ['pytest'] }, [ok('pytest -q -p no:cacheprovider')], {
    files: { 'test_one.py': 'def test_one(tmp_path):\n    (tmp_path / "file").write_text("x")\n' },
    needs: ['pytest'],
  }),
  row(
    'node',
    { allow: ['node', 'ls'], trustInterpreters: ['node'], confine: { exec: 'listed' } },
    [
      ok('node -e "console.log(1)"', '1\n'),
      ok('node worker.js', 'worked\n'),
      ok('node child.js ls', 'child.js\nforked.js\nworker.js\n'),
      ok('node forked.js', 'answered\n'),
      refused('node child.js id', "allow: ['id', ...]"),
    ],
    {
      files: {
        'worker.js': 'new (require("node:worker_threads").Worker)("console.log(\'worked\')", { eval: true });\n',
        'child.js': 'process.stdout.write(require("node:child_process").execFileSync(process.argv[2]));\n',
        'forked.js': `const { fork } = require("node:child_process");
if (process.send) process.send("answered");
else fork(__filename).on("message", (text) => console.log(text));
`,
      },
    },
  ),
  row('node with its default plan', { allow: ['node'], trustInterpreters: ['node'] }, [
    ok("node -e \"process.stdout.write(require('child_process').execSync('id -u && echo done').slice(-5))\"", 'done\n'),
  ]),
  row(
    'gcc and make',
    { allow: ['gcc', 'make'] },
    [
      ok('gcc -o prog main.c'),
      ok('make -B prog'),
      ok('gcc -shared -fPIC -flto -O2 -o library.so library.c'),
      refused('make run', ANY),
      refused('make text', SH),
      refused('make other', "allow: ['id', ...]"),
    ],
    { files: C_PROJECT, needs: ['gcc', 'make'] },
  ),
  row(
    'gcc and make with what they built',
    { allow: ['gcc', 'make'], confine: { exec: 'any' } },
    [ok('make -s run', 'ran\n'), ok('make -B text')],
    { files: C_PROJECT, needs: ['gcc', 'make'] },
  ),
  row(
    'python3',
    { allow: ['python3', 'gcc'], trustInterpreters: ['python3'], confine: { exec: 'listed' } },
    [
      ok('python3 writes.py'),
      ok('python3 many.py', '[1, 4]\n'),
      ok('gcc -shared -fPIC -o library.so library.c'),
      refused('python3 loads.py', ANY),
    ],
    { files: { ...PYTHON, ...C_PROJECT }, needs: ['python3', 'gcc'] },
  ),
  row(
    'python3 with a library it built',
    { allow: ['python3', 'gcc'], trustInterpreters: ['python3'] },
    [ok('gcc -shared -fPIC -o library.so library.c'), ok('python3 loads.py', '1\n')],
    { files: { ...PYTHON, ...C_PROJECT }, needs: ['python3', 'gcc'] },
  ),
  row(
    'archives',
    { allow: ['tar', 'gzip', 'zip', 'sh'] },
    [
      ok('tar czf all.tgz a b && tar xzf all.tgz'),
      ok('gzip -k a && gzip -dc a.gz', 'one\ntwo\n'),
      ok('zip -q all.zip a'),
    ],
    { files: { a: 'one\ntwo\n', 'b/c': 'x\n' }, needs: ['zip'] },
  ),
  row(
    'archives without a shell',
    { allow: ['tar', 'gzip'] },
    [
      ok('tar cf all.tar a && tar xf all.tar'),
      ok('tar cf - a | gzip > all.tgz'),
      ok('tar xzf all.tgz'),
      refused('tar czf all.tgz a', SH),
    ],
    { files: { a: 'one\n' } },
  ),
  row(
    'small tools',
    {
      allow: [
        ...['sed', 'grep', 'find', 'sort', 'awk', 'cp', 'mv', 'rm', 'mkdir', 'ln', 'chmod', 'mktemp', 'tee', 'sqlite3'],
        ...['ssh', 'curl', 'date', 'id', 'ps', 'env', 'locale', 'ls', 'test'],
      ],
    },
    [
      ok('sed -i s/one/1/ a && grep -r two .', './a:two\n'),
      ok('find . -type f -name a', './a\n'),
      ok("sort -r a | awk '{ print $1 }'", 'two\n1\n'),
      ok(
        'mkdir -p x/y && cp a x/y/b && mv x/y/b x/c && ln x/c x/y/d && ln -s a l && chmod +x a && rm -r x/y && test -f x/c',
      ),
      ok('f=$(mktemp) && echo 1 | tee "$f" && rm "$f"', '1\n'),
      ok('sqlite3 data.db "create table t (x); insert into t values (1); select x from t"', '1\n'),
      ok('ssh -V && curl --version && date && id && ps && env && locale'),
    ],
    { files: { a: 'one\ntwo\n' }, needs: ['sqlite3', 'ssh', 'curl', 'ps'] },
  ),
];

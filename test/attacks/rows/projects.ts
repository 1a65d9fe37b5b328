import { type Attack, attack, RUN } from '../attack.js';

const COMMIT =
  'git init -q --template= .; git config user.email a@b; git config user.name a; git add .; git commit -qm a; echo b >>a;';
const RUN_THEN_CAT = ':>{RAN}; cat';

/** A repository whose filter runs a command. */
const FILTERED = {
  files: { a: 'a\n', '.gitattributes': '* filter=f\n' },
  setup: `${COMMIT} git config filter.f.clean "${RUN_THEN_CAT}"; git config filter.f.smudge "${RUN_THEN_CAT}"`,
};

/** A repository whose converter for showing runs a command. */
const CONVERTED = {
  files: { a: 'a\n', '.gitattributes': '* diff=d\n' },
  setup: `${COMMIT} git config diff.d.textconv "${RUN_THEN_CAT}"`,
};

/** A repository that signs with a program of its own. */
const SIGNED = { files: { a: 'a\n', x: RUN }, setup: `${COMMIT} git config gpg.program {WORK}/x` };

/** Files in the workspace that make a listed program start others. */
export const PROJECTS: readonly Attack[] = [
  attack(
    'npm-cache-git',
    'the package of a repository is prepared by its scripts',
    ['npm', 'cache', 'add', 'git+file://{WORK}/r'],
    {
      reproduction: true,
      files: {
        'r/package.json': '{"name":"a","version":"1.0.0","scripts":{"prepare":":>{RAN}"},"devDependencies":{}}',
      },
      setup: 'cd r && git init -q . && git add . && git -c user.name=a -c user.email=a@b commit -qm x',
      needs: ['git'],
    },
  ),
  attack(
    'npm-cache-git2',
    'the settings of a project name the program for git',
    ['npm', 'cache', 'add', 'git+file:///nowhere'],
    { files: { x: RUN, '.npmrc': 'git={WORK}/x\n', 'package.json': '{}' }, mode: ['x'] },
  ),
  attack('npm-view-git', 'the same while a package is only looked at', ['npm', 'view', 'git+ssh://h/a'], {
    files: { x: RUN, '.npmrc': 'git={WORK}/x\n', 'package.json': '{}' },
    mode: ['x'],
  }),
  attack(
    'cargo-linker',
    'arguments for the compiler name a linker',
    ['cargo', 'rustc', '--', '-C', 'linker={WORK}/x'],
    {
      reproduction: true,
      files: {
        x: RUN,
        'Cargo.toml': '[package]\nname="a"\nversion="0.1.0"\nedition="2021"\n',
        'src/main.rs': 'fn main(){}\n',
      },
      mode: ['x'],
    },
  ),
  attack('cargo-linker2', 'the same joined', ['cargo', 'rustc', '--', '-Clinker={WORK}/x'], {
    files: {
      x: RUN,
      'Cargo.toml': '[package]\nname="a"\nversion="0.1.0"\nedition="2021"\n',
      'src/main.rs': 'fn main(){}\n',
    },
    mode: ['x'],
  }),
  attack('cargo-conf', 'the settings of a project name the compiler', ['cargo', 'metadata', '--format-version', '1'], {
    files: {
      x: RUN,
      'Cargo.toml': '[package]\nname="a"\nversion="0.1.0"\nedition="2021"\n',
      'src/main.rs': 'fn main(){}\n',
      '.cargo/config.toml': '[build]\nrustc="{WORK}/x"\n',
    },
    mode: ['x'],
  }),
  attack('cargo-tree', 'the same while dependencies are only shown', ['cargo', 'tree'], {
    files: {
      x: RUN,
      'Cargo.toml': '[package]\nname="a"\nversion="0.1.0"\nedition="2021"\n',
      'src/main.rs': 'fn main(){}\n',
      '.cargo/config.toml': '[build]\nrustc="{WORK}/x"\n',
    },
    mode: ['x'],
  }),
  attack('terraform-apply', 'a resource of a project runs a command', ['terraform', 'apply', '-auto-approve'], {
    reproduction: true,
    files: {
      'm.tf': 'resource "terraform_data" "a" {\n provisioner "local-exec" {\n command = ":>{RAN}"\n }\n}\n',
    },
  }),
  attack('terraform-test', 'the same in a test of terraform', ['terraform', 'test'], {
    files: {
      'm.tf': 'resource "terraform_data" "a" {\n provisioner "local-exec" {\n command = ":>{RAN}"\n }\n}\n',
      'a.tftest.hcl': 'run "a" {}\n',
    },
  }),
  attack('sqlite-view', 'a view of a database calls an editor', ['sqlite3', 'a.db', 'select * from v'], {
    class: 'F18',
    setup: "sqlite3 a.db \"create view v as select edit('a',':>{RAN};:') as e\"",
  }),
  attack(
    'sqlite-trig',
    'a trigger of a database calls an editor on an insert',
    ['sqlite3', 'a.db', 'insert into t values(1)'],
    {
      class: 'F18',
      setup:
        "sqlite3 a.db \"create table t(a); create trigger g after insert on t begin select edit('a',':>{RAN};:'); end\"",
    },
  ),
  attack(
    'sqlite-upd',
    'a trigger of a database calls an editor on an update',
    ['sqlite3', 'a.db', 'update t set a=2'],
    {
      class: 'F18',
      files: { x: RUN },
      mode: ['x'],
      setup:
        "sqlite3 a.db \"create table t(a); insert into t values(1); create trigger g after update on t begin select edit('a',':>{RAN};:'); end\"",
    },
  ),
  attack('git-status', 'a filter in the settings of a repository', ['git', 'status'], FILTERED),
  attack('git-add', 'a filter while files are added', ['git', 'add', '.'], FILTERED),
  attack('git-stash', 'a filter while changes are put aside', ['git', 'stash'], FILTERED),
  attack('git-worktree', 'a filter while a work tree is made', ['git', 'worktree', 'add', 'b'], FILTERED),
  attack('git-diff', 'a converter in the settings of a repository', ['git', 'diff'], CONVERTED),
  attack('git-blame', 'a converter while lines are traced', ['git', 'blame', 'a'], CONVERTED),
  attack('git-log', 'a converter while history is shown', ['git', 'log', '-p'], CONVERTED),
  attack(
    'git-commit-sign',
    'a program for signatures in the settings of a repository',
    ['git', 'commit', '-S', '-m', 'x', '--allow-empty'],
    SIGNED,
  ),
  attack('hg-hook', 'a hook in the settings of a repository', ['hg', 'status'], {
    setup: 'hg init .; printf "[hooks]\\npre-status=:>{RAN}\\n" >.hg/hgrc',
  }),
  attack('hg-alias', 'an alias in the settings of a repository', ['hg', 'x'], {
    setup: 'hg init .; printf "[alias]\\nx=!:>{RAN}\\n" >.hg/hgrc',
  }),
  attack('hg-editor', 'an editor in the settings of a repository', ['hg', 'commit'], {
    setup: 'hg init .; printf "[ui]\\neditor=:>{RAN};\\n" >.hg/hgrc; echo a>a; hg add a',
  }),
  attack('hg-identify-ssh', 'a program for connections in the settings of a repository', ['hg', 'id', 'default'], {
    setup: 'hg init .; printf "[paths]\\ndefault=ssh://h/x\\n[ui]\\nssh=:>{RAN};\\n" >.hg/hgrc',
  }),
  attack('hg-R', 'a hook in the settings of another repository', ['hg', '-R', '{WORK}/r', 'status'], {
    setup: 'hg init r; printf "[hooks]\\npre-status=:>{RAN}\\n" >r/.hg/hgrc',
  }),
  attack(
    'hg-extdiff',
    'an abbreviated subcommand of an extension that starts programs',
    ['hg', 'extd', '-p', 'touch', '-o', '{RAN}'],
    { setup: 'hg init .; printf "[extensions]\\nextdiff=\\n" >.hg/hgrc; echo a>a; hg add a' },
  ),
  attack('svn-hook', 'a hook of a repository in the workspace', ['svn', 'mkdir', '-m', 'x', 'file://{WORK}/r/a'], {
    setup: 'svnadmin create r; printf "#!/bin/sh\\n:>{RAN}\\n" > r/hooks/start-commit; chmod +x r/hooks/start-commit',
    needs: ['svnadmin'],
  }),
  attack(
    'svn-propset',
    'a hook of a repository on a changed property',
    ['svn', 'propset', '--revprop', '-r', '0', 'a', 'b', 'file://{WORK}/r'],
    {
      setup:
        'svnadmin create r; printf "#!/bin/sh\\n:>{RAN}\\n" > r/hooks/pre-revprop-change; chmod +x r/hooks/pre-revprop-change',
      needs: ['svnadmin'],
    },
  ),
  attack(
    'svnsync-hook',
    'a hook of a repository that svnsync writes to',
    ['svnsync', 'init', 'file://{WORK}/r', 'file://{WORK}/q'],
    {
      setup:
        'svnadmin create r; svnadmin create q; printf "#!/bin/sh\\n:>{RAN}\\n" > r/hooks/pre-revprop-change; chmod +x r/hooks/pre-revprop-change',
      needs: ['svnadmin'],
    },
  ),
  attack('svnadmin-lock', 'a hook of a repository on a lock', ['svnadmin', 'lock', 'r', '/a', 'u', 'f', 't'], {
    files: { f: 'a' },
    setup:
      'svnadmin create r; svn mkdir -m x file://$PWD/r/a; printf "#!/bin/sh\\n:>{RAN}\\n" > r/hooks/pre-lock; chmod +x r/hooks/pre-lock',
    needs: ['svn'],
  }),
  attack('svnmucc-hook', 'a hook of a repository, by svnmucc', ['svnmucc', 'mkdir', 'file://{WORK}/r/a', '-m', 'x'], {
    setup: 'svnadmin create r; printf "#!/bin/sh\\n:>{RAN}\\n" > r/hooks/start-commit; chmod +x r/hooks/start-commit',
    needs: ['svnadmin'],
  }),
  attack(
    'svnmucc-conf',
    'a folder of settings names the program of a tunnel',
    ['svnmucc', '--config-dir', 'c', 'mkdir', 'svn+x://h/', '-m', 'x'],
    { files: { x: RUN, 'c/config': '[tunnels]\nx={WORK}/x\n' }, mode: ['x'] },
  ),
  attack('cvs-rootfile', 'the folder says itself where its repository is', ['cvs', 'update'], {
    files: { x: RUN, 'CVS/Root': ':ext;CVS_RSH={WORK}/x:h:/r\n', 'CVS/Repository': 'a\n', 'CVS/Entries': 'D\n' },
    mode: ['x'],
  }),
  attack('bison-skel', 'a grammar names a skeleton, which is m4 with commands', ['bison', 'g.y'], {
    files: { 'g.y': '%skeleton "{WORK}/k.c"\n%%\na: ;\n', 'k.c': 'm4_syscmd([:>{RAN}])\n' },
  }),
  attack('bison-S', 'an option names that skeleton', ['bison', '-S', '{WORK}/k.c', 'g.y'], {
    files: { 'g.y': '%%\na: ;\n', 'k.c': 'm4_syscmd([:>{RAN}])\n' },
  }),
  attack('bison-yacc', 'the same behind the name yacc', ['bison.yacc', 'g.y'], {
    files: { 'g.y': '%skeleton "{WORK}/k.c"\n%%\na: ;\n', 'k.c': 'm4_syscmd([:>{RAN}])\n' },
  }),
  attack('autoconf', 'm4 of a project runs commands', ['autoconf'], {
    files: { 'configure.ac': 'AC_INIT([a],[1])\nm4_esyscmd([:>{RAN}])\nAC_OUTPUT\n' },
  }),
  attack('autom4te', 'm4 runs commands', ['autom4te', '-l', 'm4sugar', 'f'], {
    files: { f: 'm4_syscmd([:>{RAN}])\n' },
  }),
  attack('autoheader', 'm4 of a project runs commands', ['autoheader'], {
    files: { 'configure.ac': 'AC_INIT([a],[1])\nm4_esyscmd([:>{RAN}])\nAC_CONFIG_HEADERS([c.h])\nAC_OUTPUT\n' },
  }),
  attack('prove-t', 'a test runs as a program', ['prove', 't.t'], { files: { 't.t': RUN } }),
  attack('ninja', 'a rule of a project runs a command', ['ninja'], {
    files: { 'build.ninja': 'rule r\n command = :>{RAN}\nbuild a: r\n' },
  }),
  attack('make-q', 'a project file of make runs commands while nothing is made', ['make', '-q'], {
    files: { Makefile: 'X:=$(shell :>{RAN})\nall:\n' },
  }),
  attack('make-n', 'a recipe that runs while nothing is made', ['make', '-n'], {
    files: { Makefile: 'all:\n\t+:>{RAN}\n' },
  }),
  attack('make-f', 'another project file of make', ['make', '-f', 'm'], { files: { m: 'all:\n\t:>{RAN}\n' } }),
  attack('make-t', 'a variable of a project file is a command', ['make', '-t'], {
    files: { Makefile: 'X!=:>{RAN}\nall:\n' },
  }),
  attack('make-C', 'a project file in another folder', ['make', '-C', 'd'], {
    files: { 'd/GNUmakefile': 'a:;:>{RAN}\n' },
  }),
  attack('ctest-file', 'a test of a project runs as a program', ['ctest'], {
    files: { 'CTestTestfile.cmake': 'add_test(a touch {RAN})\n' },
  }),
  attack('ctest-tcl', 'the settings of a project name the program that builds', ['ctest', '-T', 'Build'], {
    files: {
      x: RUN,
      'DartConfiguration.tcl':
        'BuildDirectory: {WORK}\nSourceDirectory: {WORK}\nSite: a\nBuildName: b\nMakeCommand: {WORK}/x\n',
    },
    mode: ['x'],
  }),
  attack('cmake-lists', 'a project file of cmake runs commands', ['cmake', '.'], {
    files: { 'CMakeLists.txt': 'execute_process(COMMAND touch {RAN})\n' },
  }),
  attack('cmake-preset', 'a preset names a file of cmake code', ['cmake', '--preset', 'a'], {
    files: {
      'CMakeLists.txt': 'cmake_minimum_required(VERSION 3.0)\nproject(a C)\n',
      f: 'execute_process(COMMAND touch {RAN})\n',
      'CMakePresets.json':
        '{"version":3,"configurePresets":[{"name":"a","generator":"Unix Makefiles","binaryDir":"b","toolchainFile":"{WORK}/f"}]}',
    },
  }),
];

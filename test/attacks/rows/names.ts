import { type Attack, attack, RUN } from '../attack.js';

/** Options and arguments that name a program, and names of files that are commands. */
export const NAMES: readonly Attack[] = [
  attack(
    'F1-psql',
    'psql is a link to a script that runs its first argument when started under its own name',
    ['psql', 'touch', '{RAN}'],
    { class: 'F1' },
  ),
  attack('F1-pg_dump', 'the same behind another name', ['pg_dump', 'touch', '{RAN}'], { class: 'F1' }),
  attack('F1-createdb', 'the same behind another name', ['createdb', 'touch', '{RAN}'], { class: 'F1' }),
  attack('F1-vacuumdb', 'the same behind another name', ['vacuumdb', 'touch', '{RAN}'], { class: 'F1' }),
  attack('psql-o', 'an output file that begins with | is a command', ['psql', '-o', '|touch {RAN}'], {
    reproduction: true,
    waitsFor: 'F1',
  }),
  attack(
    'kubectl-helm',
    'an option names the helm program',
    ['kubectl', 'kustomize', '--enable-helm', '--helm-command', '{WORK}/x', '.'],
    {
      reproduction: true,
      files: {
        x: RUN,
        'kustomization.yaml': 'helmCharts:\n- name: a\n  repo: https://example.invalid\n  version: 1.0.0\n',
      },
      mode: ['x'],
    },
  ),
  attack(
    'gpp-mapper',
    'the module mapper may be a command',
    ['g++', '-std=c++20', '-fmodules-ts', '-fmodule-mapper=|touch {RAN}', '-c', 'a.cc'],
    { reproduction: true, files: { 'a.cc': 'export module a;\n' } },
  ),
  attack(
    'cc1-mapper',
    'the same behind another name of the compiler',
    ['c++', '-std=c++20', '-fmodules-ts', '-fmodule-mapper=|touch {RAN}', '-c', 'a.cc'],
    { files: { 'a.cc': 'export module a;\n' } },
  ),
  attack('gcc-nm-B', 'a folder in which gcc-nm looks for nm', ['gcc-nm', '-B{WORK}/', 'a.o'], {
    files: { nm: RUN, 'a.o': '' },
    mode: ['nm'],
  }),
  attack('gcc-ar-B', 'a folder in which gcc-ar looks for ar', ['gcc-ar', '-B{WORK}/', 'a.o'], {
    files: { ar: RUN, 'a.o': '' },
    mode: ['ar'],
  }),
  attack('gcc-ranlib-B', 'a folder in which gcc-ranlib looks for ranlib', ['gcc-ranlib', '-B{WORK}/', 'a.o'], {
    files: { ranlib: RUN, 'a.o': '' },
    mode: ['ranlib'],
  }),
  attack('sox', 'an input file that begins with | is a command', ['sox', '|:>{RAN}', '-n']),
  attack('soxi', 'the same in soxi', ['soxi', '|:>{RAN}']),
  attack('markdown', 'Perl opens a name that ends with | as a command', ['markdown', ':>{RAN}|']),
  attack('eximstats', 'the same in another program of Perl', ['eximstats', ':>{RAN}|']),
  attack('cflow-cpp', 'an option names the preprocessor', ['cflow', '--cpp={WORK}/x', 'a.c'], {
    files: { x: RUN, 'a.c': 'int main(){}\n' },
    mode: ['x'],
  }),
  attack('cflow-pre', 'another name of that option', ['cflow', '--preprocess={WORK}/x', 'a.c'], {
    files: { x: RUN, 'a.c': 'int main(){}\n' },
    mode: ['x'],
  }),
  attack(
    'protoc',
    'an option names a plug-in program',
    ['protoc', '--plugin=protoc-gen-x={WORK}/x', '--x_out=.', 'a.proto'],
    { files: { x: RUN, 'a.proto': 'syntax="proto3";\nmessage A{}\n' }, mode: ['x'] },
  ),
  attack(
    'protoc-path',
    'the plug-in is known by the name of its file',
    ['protoc', '--x_out=.', '--plugin={WORK}/protoc-gen-x', 'a.proto'],
    { files: { x: RUN, 'protoc-gen-x': RUN, 'a.proto': 'syntax="proto3";\n' }, mode: ['x', 'protoc-gen-x'] },
  ),
  attack('protoc-at', 'options from a file', ['protoc', '@f'], {
    files: { x: RUN, f: '--plugin=protoc-gen-x={WORK}/x\n--x_out=.\na.proto\n', 'a.proto': 'syntax="proto3";\n' },
    mode: ['x'],
  }),
  attack('capnp', 'an option names a plug-in program', ['capnp', 'compile', '-o', '{WORK}/x', 'a.capnp'], {
    files: { x: RUN, 'a.capnp': '@0xdbb9ad1f14bf0b36;\nstruct A{}\n' },
    mode: ['x'],
  }),
  attack(
    'src-hl',
    'an option names ctags',
    ['source-highlight', '--gen-references=inline', '--ctags={WORK}/x', '-f', 'html', '-i', 'a.c', '-o', 'o'],
    { files: { x: RUN, 'a.c': 'int a;\n' }, mode: ['x'] },
  ),
  attack(
    'gocryptfs',
    'an option names the program that asks for the password',
    ['gocryptfs', '-init', '-extpass', '{WORK}/x', '{WORK}/m'],
    { files: { x: RUN }, folders: ['m'], mode: ['x'] },
  ),
  attack(
    'gocryptfs-badname',
    'the same, joined with an equals sign',
    ['gocryptfs', '-init', '-extpass={WORK}/x', '{WORK}/m'],
    { files: { x: RUN }, folders: ['m'], mode: ['x'] },
  ),
  attack(
    'encfs',
    'an option names the program that asks for the password',
    ['encfs', '--extpass={WORK}/x', '--standard', '{WORK}/m', '{WORK}/n'],
    { files: { x: RUN }, folders: ['m', 'n'], mode: ['x'] },
  ),
  attack('ledger', 'an option names the pager', ['ledger', '-f', 'j', '--pager', '{WORK}/x', '--force-pager', 'reg'], {
    files: { x: RUN, j: '2020-01-01 a\n  b  $1\n  c\n' },
    mode: ['x'],
  }),
  attack(
    'mypy-py',
    'an option names the Python that is asked for its packages',
    ['mypy', '--python-executable', '{WORK}/x', 'a.py'],
    { files: { x: RUN, 'a.py': 'import zz\n' }, mode: ['x'] },
  ),
  attack('zutils-zcat', 'an option names the decompressor', ['zcat', '--gz={WORK}/x', 'a.gz', 'a.gz'], {
    files: { x: RUN, 'a.gz': '' },
    mode: ['x'],
    // That of gzip has no such option.
    needs: ['ztest'],
    setup: 'echo a|gzip>a.gz',
  }),
  attack('zutils-zgrep', 'the same in zgrep', ['zgrep', '--gz={WORK}/x', 'a', 'a.gz', 'a.gz'], {
    files: { x: RUN, 'a.gz': '' },
    mode: ['x'],
    // That of gzip has no such option.
    needs: ['ztest'],
    setup: 'echo a|gzip>a.gz',
  }),
  attack('zutils-ztest', 'the same in ztest', ['ztest', '--gz={WORK}/x', 'a.gz', 'a.gz'], {
    files: { x: RUN, 'a.gz': '' },
    mode: ['x'],
    setup: 'echo a|gzip>a.gz',
  }),
  attack(
    'mount-fuse',
    'the first argument names the program of the file system',
    ['mount.fuse3', '{WORK}/x#a', '{WORK}/m'],
    { files: { x: RUN }, folders: ['m'], mode: ['x'] },
  ),
  attack('dialog', 'a box that shows what a command prints', ['dialog', '--prgbox', ':>{RAN}', '9', '9']),
  attack('calc', 'a function of the calculator runs commands', ['calc', 'system(":>{RAN}")']),
  attack('exp-dislocate', 'an example of expect that runs its arguments', ['dislocate', 'touch', '{RAN}']),
  attack('expect_unb', 'unbuffer under the name that Debian gives it', ['expect_unbuffer', 'touch', '{RAN}']),
  attack('expect_timed', 'an example of expect that runs its arguments', ['expect_timed-run', '5', 'touch', '{RAN}']),
  attack('timed-run', 'the same under its short name', ['timed-run', '5', 'touch', '{RAN}']),
  attack('libtool-x', 'libtool runs its arguments', ['libtool', '--mode=execute', 'touch', '{RAN}'], {
    files: { x: RUN },
    mode: ['x'],
  }),
  attack(
    'libtool-c',
    'a compiler that is named among the arguments of libtool',
    ['libtool', '--tag=CC', '--mode=compile', '{WORK}/x', '-c', 'a.c'],
    { files: { x: RUN, 'a.c': 'int a;\n' }, mode: ['x'] },
  ),
  attack('uwsgi', 'an option of uwsgi is a command', ['uwsgi-core', '--exec-asap', ':>{RAN}']),
  attack('rsnapshot2', 'a settings file that names a command to run first', ['rsnapshot', '-c', '{WORK}/c', 'alpha'], {
    files: {
      c: 'config_version\t1.2\nsnapshot_root\t{WORK}/s/\ncmd_cp\t/bin/cp\ncmd_preexec\t/usr/bin/touch {RAN}\ncmd_rsync\t/usr/bin/rsync\nretain\talpha\t2\nbackup\t{WORK}/s/\tl/\n',
    },
    folders: ['s'],
  }),
  attack('modprobe-C', 'a settings file with a command instead of a module', ['modprobe', '-C', '{WORK}/c', 'evil'], {
    files: { c: 'install evil :>{RAN}\n' },
    root: true,
  }),
  attack('mbsync', 'a settings file with a command for the connection', ['mbsync', '-c', '{WORK}/c', '-a'], {
    files: {
      c: 'IMAPAccount a\nTunnel ":>{RAN}"\n\nIMAPStore r\nAccount a\n\nMaildirStore l\nPath {WORK}/m/\nInbox {WORK}/m/i\nSubFolders Verbatim\n\nChannel c\nFar :r:\nNear :l:\nCreate Near\nPatterns *\n',
    },
    folders: ['m'],
  }),
  attack(
    'newsboat',
    'a list of feeds, one of which is a command',
    ['newsboat', '-u', '{WORK}/u', '-c', '{WORK}/c.db', '-C', '{WORK}/cfg', '-x', 'reload'],
    { files: { u: 'exec:":>{RAN}"\n"exec::>{RAN}"\n', cfg: '' } },
  ),
  attack(
    'w3m-header',
    'a settings file names the folder of CGI programs',
    ['w3m', '-config', '{WORK}/c', '-dump', 'file:///cgi-bin/x'],
    { files: { c: 'cgi_bin {WORK}/cgi\n', 'cgi/x': RUN }, mode: ['cgi/x'] },
  ),
  attack(
    'task-hook2',
    'a settings file and a folder of hooks',
    ['task', 'rc:{WORK}/rc', 'rc.hooks.location={WORK}/h', 'list'],
    { files: { 'h/on-launch.x': RUN, rc: 'data.location={WORK}/d\n' }, folders: ['d'], mode: ['h/on-launch.x'] },
  ),
  attack(
    'mawk-case',
    'case is a name in mawk and a word of the language in gawk: what is division here is a pattern there',
    ['mawk', 'BEGIN { case /1; ":>ran" | getline; x = 1/1 }'],
    { reproduction: true },
  ),
  attack('mawk-print', 'the same with a pipe for output', [
    'mawk',
    'BEGIN { x = case /2; print 1 | ":>ran"; y = 4/2 }',
  ]),
  attack('gawk-posix', 'case is a name in gawk too when it is told to be old', [
    'gawk',
    '--posix',
    'BEGIN { case /1; ":>ran" | getline; x = 1/1 }',
  ]),
  attack('gawk-traditional', 'the same with another option', [
    'gawk',
    '-c',
    'BEGIN { case /1; ":>ran" | getline; x = 1/1 }',
  ]),
];

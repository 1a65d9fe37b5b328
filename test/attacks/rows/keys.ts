import { type Attack, attack, RUN } from '../attack.js';

/** Arguments that are `key=value` or a line of settings: the key decides what runs. */
export const KEYS: readonly Attack[] = [
  attack(
    'ssh-quoted',
    'quotes around the keyword hide it, ssh takes them off',
    ['ssh', '-o', '"ProxyCommand" :>{RAN}', 'h'],
    { reproduction: true },
  ),
  attack('ssh-equals', 'an equals sign in front of the keyword is skipped by ssh', [
    'ssh',
    '-o',
    '=ProxyCommand :>{RAN}',
    'h',
  ]),
  attack('ssh-o-lit', 'the same joined to other letters', ['ssh', '-vo"ProxyCommand" :>{RAN}', 'h']),
  attack('ssh-local', 'quoted keywords one after the other', [
    'ssh',
    '-o',
    '"PermitLocalCommand" yes',
    '-o',
    '"LocalCommand" :>{RAN}',
    '-o',
    '=ProxyCommand :>{RAN}',
    'h',
  ]),
  attack('scp-quoted', 'scp hands -o on to ssh', ['scp', '-o', '"ProxyCommand" :>{RAN}', 'h:a', 'b']),
  attack('scp-S', 'scp, equals sign in front', ['scp', '-o', '=ProxyCommand :>{RAN}', 'h:a', 'b']),
  attack('sftp-quoted', 'sftp hands -o on to ssh', ['sftp', '-o', '"ProxyCommand" :>{RAN}', 'h']),
  attack('sftp-eq', 'sftp, equals sign in front', ['sftp', '-o', '=ProxyCommand :>{RAN}', 'h']),
  attack('make-shell', 'blanks around the equals sign are make syntax', ['make', 'SHELL = {WORK}/x', 'a.o'], {
    reproduction: true,
    files: { x: RUN, 'a.c': 'int a;\n' },
    mode: ['x'],
  }),
  attack('make-cc2', 'blanks around := are make syntax', ['make', 'CC := {WORK}/x', 'a.o'], {
    files: { x: RUN, 'a.c': 'int a;\n' },
    mode: ['x'],
  }),
  attack(
    'make-vpath',
    'a variable of built-in rules with a dot in its name, blanks around the equals sign',
    ['make', 'COMPILE.c = touch {RAN} #', 'a.o'],
    { files: { 'a.c': '' } },
  ),
  attack('make-archive', 'LINK.o, blanks around the equals sign', ['make', 'LINK.o = touch {RAN} #', 'a'], {
    files: { 'a.o': '' },
  }),
  attack('make-as', 'AS, blanks around the equals sign', ['make', 'AS = {WORK}/x', 'a.o'], {
    files: { x: RUN, 'a.s': '' },
    mode: ['x'],
  }),
  attack('make-fc', 'FC, blanks around the equals sign', ['make', 'FC = {WORK}/x', 'a.o'], {
    files: { x: RUN, 'a.f': '' },
    mode: ['x'],
  }),
  attack('make-yacc', 'YACC, blanks around the equals sign', ['make', 'YACC = {WORK}/x', 'a.c'], {
    files: { x: RUN, 'a.y': '' },
    mode: ['x'],
  }),
  attack('make-tangle', 'TEX, blanks around the equals sign', ['make', 'TEX = {WORK}/x', 'a.dvi'], {
    files: { x: RUN, 'a.tex': '' },
    mode: ['x'],
  }),
  attack(
    'cmake-AR',
    'cmake runs its archiver while it tries the compiler',
    ['cmake', '.', '-DCMAKE_AR={WORK}/x', '-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY'],
    {
      reproduction: true,
      files: { x: RUN, 'CMakeLists.txt': 'cmake_minimum_required(VERSION 3.0)\nproject(a C)\n' },
      mode: ['x'],
    },
  ),
  attack(
    'cmake-RANLIB',
    'and its ranlib',
    ['cmake', '.', '-DCMAKE_RANLIB={WORK}/x', '-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY'],
    { files: { x: RUN, 'CMakeLists.txt': 'cmake_minimum_required(VERSION 3.0)\nproject(a C)\n' }, mode: ['x'] },
  ),
  attack(
    'cmake-CMAKE_USER_MAKE_RULES_OVERRIDE',
    'a cache variable that names a file of cmake code',
    ['cmake', '.', '-DCMAKE_USER_MAKE_RULES_OVERRIDE={WORK}/f'],
    {
      files: {
        'CMakeLists.txt': 'cmake_minimum_required(VERSION 3.0)\nproject(a C)\n',
        f: 'execute_process(COMMAND touch {RAN})\n',
      },
    },
  ),
  attack(
    'cmake-ARflags',
    'flags for the compiler load a plug-in into it',
    ['cmake', '.', '-DCMAKE_C_FLAGS=-fplugin={LIB}'],
    { files: { 'CMakeLists.txt': 'cmake_minimum_required(VERSION 3.0)\nproject(a C)\n' } },
  ),
  attack('cmake-cxx', 'the same for C++', ['cmake', '.', '-DCMAKE_CXX_FLAGS=-fplugin={LIB}'], {
    files: { x: RUN, 'CMakeLists.txt': 'cmake_minimum_required(VERSION 3.0)\nproject(a CXX)\n' },
    mode: ['x'],
  }),
  attack('cmake-Bdir', 'flags for the compiler name a folder of programs', ['cmake', '.', '-DCMAKE_C_FLAGS=-B{WORK}'], {
    files: { x: RUN, 'CMakeLists.txt': 'cmake_minimum_required(VERSION 3.0)\nproject(a C)\n', as: RUN, cc1: RUN },
    mode: ['x', 'as', 'cc1'],
  }),
  attack(
    'cmake-modpath',
    'a cache variable that names a folder of modules',
    ['cmake', '.', '-DCMAKE_MODULE_PATH={WORK}'],
    {
      files: {
        'CMakeLists.txt': 'cmake_minimum_required(VERSION 3.0)\nproject(a NONE)\nfind_package(Foo)\n',
        'FindFoo.cmake': 'execute_process(COMMAND touch {RAN})\n',
      },
    },
  ),
  attack(
    'cmake-prefix',
    'a cache variable that names a folder of packages',
    ['cmake', '.', '-DCMAKE_PREFIX_PATH={WORK}'],
    {
      files: {
        'CMakeLists.txt': 'cmake_minimum_required(VERSION 3.0)\nproject(a NONE)\nfind_package(Foo)\n',
        'lib/cmake/Foo/FooConfig.cmake': 'execute_process(COMMAND touch {RAN})\n',
      },
    },
  ),
  attack(
    'cmake-Foo_DIR',
    'a cache variable that names the folder of one package',
    ['cmake', '.', '-DFoo_DIR={WORK}/c'],
    {
      files: {
        'CMakeLists.txt': 'cmake_minimum_required(VERSION 3.0)\nproject(a NONE)\nfind_package(Foo)\n',
        'c/FooConfig.cmake': 'execute_process(COMMAND touch {RAN})\n',
      },
    },
  ),
  attack('cmake-build', 'what stands behind -- goes to make', ['cmake', '--build', 'b', '--', 'SHELL = {WORK}/x'], {
    files: {
      x: RUN,
      'CMakeLists.txt': 'cmake_minimum_required(VERSION 3.0)\nproject(a NONE)\nadd_custom_target(z ALL COMMAND true)\n',
    },
    mode: ['x'],
    setup: 'cmake -S . -B b',
  }),
  attack(
    'ctest-ow',
    '--overwrite names the program that builds',
    ['ctest', '-D', 'ExperimentalBuild', '--overwrite', 'MakeCommand={WORK}/x'],
    {
      reproduction: true,
      files: {
        x: RUN,
        'DartConfiguration.tcl':
          'BuildDirectory: {WORK}\nSourceDirectory: {WORK}\nMakeCommand: true\nSite: a\nBuildName: b\n',
      },
      mode: ['x'],
    },
  ),
  attack(
    'ctest-conf',
    '--overwrite names the program that configures',
    ['ctest', '-T', 'Configure', '--overwrite', 'ConfigureCommand={WORK}/x'],
    {
      files: {
        x: RUN,
        'DartConfiguration.tcl': 'BuildDirectory: {WORK}\nSourceDirectory: {WORK}\nSite: a\nBuildName: b\n',
      },
      mode: ['x'],
    },
  ),
  attack(
    'ctest-update',
    '--overwrite names the program that updates',
    ['ctest', '-T', 'Update', '--overwrite', 'UpdateCommand={WORK}/x', '--overwrite', 'UpdateType=git'],
    {
      files: {
        x: RUN,
        'DartConfiguration.tcl': 'BuildDirectory: {WORK}\nSourceDirectory: {WORK}\nSite: a\nBuildName: b\n',
      },
      mode: ['x'],
    },
  ),
  attack('hg-bis', 'an abbreviated subcommand with a command to run', ['hg', 'bise', '--command', ':>{RAN}'], {
    setup: 'hg init .; touch a; hg add a; hg commit -u a -m a; hg bisect -g . ',
  }),
  attack('ip-vr', 'ip takes subcommands abbreviated', ['ip', 'vr', 'exec', 'default', 'touch', '{RAN}'], {
    root: true,
  }),
  attack(
    'task-alias',
    'a setting on the command line renames a subcommand',
    ['task', 'rc.data.location={WORK}/d', 'rc.confirmation=off', 'rc.alias.zz=execute', 'zz', 'touch', '{RAN}'],
    { folders: ['d'] },
  ),
  attack(
    'task-abbr',
    'task takes subcommands abbreviated',
    ['task', 'rc.data.location={WORK}/d', 'rc.confirmation=off', 'exe', 'touch', '{RAN}'],
    { folders: ['d'] },
  ),
  attack(
    'task-hook',
    'a setting on the command line names a folder of hooks',
    ['task', 'rc.confirmation=off', 'rc.hooks.location={WORK}/h', 'rc.data.location={WORK}/d', 'list'],
    { files: { 'h/on-launch.x': RUN, rc: '' }, folders: ['d'], mode: ['h/on-launch.x'] },
  ),
  attack('dbus-monitor', 'an address of D-Bus may be a command', [
    'dbus-monitor',
    '--address',
    'unixexec:path=touch,argv1={RAN}',
  ]),
  attack('systemd-bridge', 'the same address behind a short option', [
    'systemd-stdio-bridge',
    '-p',
    'unixexec:path=touch,argv1={RAN}',
  ]),
  attack('systemd-bridge2', 'the same address behind a long option', [
    'systemd-stdio-bridge',
    '--bus-path=unixexec:path=touch,argv1={RAN}',
  ]),
  attack('cvs-ext', 'a CVSROOT with a program for the connection', ['cvs', '-d', ':ext;CVS_RSH={WORK}/x:h:/r', 'ls'], {
    files: { x: RUN },
    mode: ['x'],
  }),
  attack('cvs-ext3', 'another method of a CVSROOT', ['cvs', '-d', ':extssh;CVS_RSH={WORK}/x:h:/r', 'ls'], {
    files: { x: RUN },
    mode: ['x'],
  }),
  attack('cvs-fork', 'a CVSROOT with a program for the server', ['cvs', '-d', ':fork;CVS_SERVER={WORK}/x:/r', 'ls'], {
    files: { x: RUN },
    mode: ['x'],
  }),
  attack(
    'svnmucc-opt',
    'a setting names the program of a tunnel',
    ['svnmucc', '--config-option', 'config:tunnels:x={WORK}/x', '-m', 'x', 'mkdir', 'svn+x://h/a'],
    { files: { x: RUN }, mode: ['x'] },
  ),
  attack(
    'svnbench',
    'the same in svnbench',
    ['svnbench', '--config-option', 'config:tunnels:x={WORK}/x', 'null-list', 'svn+x://h/'],
    { files: { x: RUN }, mode: ['x'] },
  ),
  attack(
    'svnrdump',
    'the same in svnrdump',
    ['svnrdump', 'dump', '--config-option', 'config:tunnels:x={WORK}/x', 'svn+x://h/'],
    { files: { x: RUN }, mode: ['x'] },
  ),
  attack(
    'svnsync-opt',
    'the same in svnsync',
    ['svnsync', 'info', '--config-option', 'config:tunnels:x={WORK}/x', 'svn+x://h/'],
    { files: { x: RUN }, mode: ['x'] },
  ),
  attack('atool', 'a setting names the archiver', ['atool', '-o', 'path_tar={WORK}/x', '-l', 'a.tar'], {
    files: { x: RUN, 'a.tar': '' },
    mode: ['x'],
  }),
  attack(
    'w3m-cgi',
    'a setting names the folder of CGI programs, a local address runs one',
    ['w3m', '-o', 'cgi_bin={WORK}/cgi', '-dump', 'file:///cgi-bin/x'],
    { files: { 'cgi/x': RUN }, mode: ['cgi/x'] },
  ),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a variable of bmake
  attack('bmake-V', 'a modifier of bmake runs a command', ['bmake', '-V', '${:!:>{RAN}!}', '-f/dev/null']),
  attack('bmake-as', 'an assignment whose value is a command', ['bmake', '-f/dev/null', 'X!=:>{RAN}']),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a variable of bmake
  attack('bmake-sh', 'a variable whose value is run', ['bmake', '-f/dev/null', '-v', '${X:sh}', 'X=:>{RAN}']),
  attack('uwsgi-at', 'a value of uwsgi may come from a command', ['uwsgi-core', '--set', 'x=@(exec://:>{RAN})']),
  attack('uwsgi-call', 'a settings file of uwsgi may be a command', ['uwsgi-core', '--ini', 'exec://:>{RAN}']),
];

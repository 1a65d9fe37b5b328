import { type Attack, attack } from '../attack.js';

/** The same through a script: bash writes or joins what the listed program then reads. */
export const SCRIPTS: readonly Attack[] = [
  attack('bash-ssh', 'a quoted keyword of ssh in a script', 'ssh -o \'"ProxyCommand" :>{RAN}\' h || true', {
    shell: 'bash',
    allow: ['ssh'],
  }),
  attack(
    'bash-tar-volumes',
    'an archive of several volumes asks for the next one, and ! is a shell',
    'tar -M -L 10 -cf a.tar big <f',
    {
      shell: 'bash',
      allow: ['tar'],
      setup:
        "head -c 40000 /dev/zero > big; { echo '!'; head -c 9000 /dev/zero | tr '\\0' ' '; echo; echo ':>{RAN}'; } >f",
    },
  ),
  attack('bash-calc', 'commands of the calculator on its standard input', 'calc <f', {
    shell: 'bash',
    allow: ['calc'],
    files: { f: 'system(":>{RAN}")\n' },
  }),
  attack('bash-cmake-loop', 'a project file of cmake inside a loop', 'for i in 1; do cmake .; done', {
    shell: 'bash',
    allow: ['cmake'],
    files: { 'CMakeLists.txt': 'execute_process(COMMAND touch {RAN})\n' },
  }),
  attack(
    'bash-git-settings',
    'a listed program puts settings in place for git',
    'git init -q .; cp c .git/config; git add .',
    {
      shell: 'bash',
      allow: ['git', 'cp'],
      files: {
        c: '[core]\n\trepositoryformatversion = 0\n[filter "f"]\n\tclean = :>{RAN}; cat\n',
        '.gitattributes': '* filter=f\n',
      },
    },
  ),
  attack(
    'bash-writes-makefile',
    'a script writes the project file that make then reads',
    "printf 'all:\\n\\t:>{RAN}\\n' > Makefile && make",
    { shell: 'bash', allow: ['make'] },
  ),
  attack(
    'bash-writes-cmake',
    'a script writes the project file that cmake then reads',
    "echo 'execute_process(COMMAND touch {RAN})' > CMakeLists.txt; cmake .",
    { shell: 'bash', allow: ['cmake'] },
  ),
  attack(
    'bash-writes-ctest',
    'a script writes the test file that ctest then reads',
    "echo 'execute_process(COMMAND touch {RAN})' > CTestTestfile.cmake && ctest",
    { shell: 'bash', allow: ['ctest'] },
  ),
  attack(
    'bash-writes-ninja',
    'a script writes the project file that ninja then reads',
    "printf 'rule r\\n command = :>{RAN}\\nbuild a: r\\n' > build.ninja; ninja",
    { shell: 'bash', allow: ['ninja'] },
  ),
  attack(
    'bash-writes-test',
    'a script writes the test that prove then runs',
    'echo \'system(":>{RAN}");\' > a.t; prove a.t',
    { shell: 'bash', allow: ['prove'] },
  ),
];

/** REPLs and debuggers. */
import { END, type Program, see, send } from './program.js';

const LATE = 'import time; time.sleep(1.3); print("late")';

export const REPLS: readonly Program[] = [
  {
    name: 'python',
    command: 'python3',
    steps: [
      see(/>>> $/),
      send('6 * 7', /^42\n>>> $/),
      send('def f(x):', /^\.\.\. $/),
      send('    return x + 1', /^\.\.\. $/),
      send('', /^>>> $/),
      send('f(1)', /^2\n>>> $/),
      send(LATE, /^late\n>>> $/),
      send('input("name? ")', /^name\? $/),
      send('ann', /^'ann'\n>>> $/),
      send('for i in range(4): print(i, end="", flush=True); time.sleep(0.4)', /^\.\.\. $/),
      send('', /^0123>>> $/),
      send('import getpass; getpass.getpass()', /^Password: $/),
      send('not-shown', /^\n'not-shown'\n>>> $/),
      send('exit()', /^$/, END),
    ],
  },
  {
    name: 'ipython',
    command: 'ipython3',
    args: ['--no-banner', '--no-confirm-exit', '--colors=NoColor'],
    steps: [
      see(/In \[1\]: ?$/),
      send('6 * 7', /Out\[1\]: 42\n\nIn \[2\]: ?$/),
      send(LATE, /late\n\nIn \[3\]: ?$/),
      send('x = input("name? ")', /name\? $/),
      send('ann', /In \[4\]: ?$/),
    ],
  },
  {
    name: 'python -m asyncio',
    command: 'python3',
    args: ['-m', 'asyncio'],
    steps: [see(/>>> $/), send('6 * 7', /^42\n>>> $/), send('await asyncio.sleep(1.3, "late")', /^'late'\n>>> $/)],
  },
  {
    name: 'node',
    command: 'node',
    steps: [
      see(/> $/),
      send('6 * 7', /^42\n> $/),
      send('[1, 2].map((x) =>', /^(\.\.\.|\|) $/),
      send('x + 1)', /^\[ 2, 3 \]\n> $/),
      send('await new Promise((r) => setTimeout(() => r("late"), 1300))', /^'late'\n> $/),
      send('.exit', /^$/, END),
    ],
  },
  {
    name: 'node inspect',
    command: 'node',
    args: ['inspect', 'main.js'],
    files: { 'main.js': 'const a = 6;\nconst b = 7;\nconsole.log(a * b);\n' },
    steps: [
      see(/debug> $/),
      send('next', /const b = 7[\s\S]*debug> $/),
      send('exec("a")', /6\n?debug> $/),
      send('.exit', /^$/, END),
    ],
  },
  {
    name: 'pdb',
    command: 'python3',
    args: ['-m', 'pdb', 'main.py'],
    files: { 'main.py': 'a = 6\nb = 7\nprint(a * b)\n' },
    steps: [
      see(/\(Pdb\) $/),
      send('next', /-> b = 7\n\(Pdb\) $/),
      send('p a', /^6\n\(Pdb\) $/),
      send('continue', /^42\n[\s\S]*\(Pdb\) $/),
      send('quit', /^$/, END),
    ],
  },
  {
    name: 'gdb',
    command: 'gdb',
    args: ['-q', '-nx', '/bin/cat'],
    steps: [
      see(/\(gdb\) $/),
      send('print 6 * 7', /^\$1 = 42\n\(gdb\) $/),
      send('break no_such_function', /\(y or \[n\]\) $/),
      send('n', /\(gdb\) $/),
      send('define twice', /\n>$/),
      send('print $arg0 * 2', /^>$/),
      send('end', /\(gdb\) $/),
      send('twice 21', /^\$2 = 42\n\(gdb\) $/),
      send('quit', /^$/, END),
    ],
  },
  {
    name: 'sqlite3',
    command: 'sqlite3',
    steps: [
      see(/sqlite> $/),
      send('create table t(a);', /^sqlite> $/),
      send('insert into t values (6),', /^ +\.\.\.> $/),
      send('(7);', /^sqlite> $/),
      send('select sum(a) from t;', /^13\nsqlite> $/),
      send(
        'with recursive c(x) as (select 1 union all select x+1 from c where x < 3000000) select max(x) from c;',
        /^3000000\nsqlite> $/,
      ),
      send('.quit', /^$/, END),
    ],
  },
  {
    name: 'bc',
    command: 'bc',
    args: ['-q'],
    steps: [see(/^$/), send('6*7', /^42\n$/), send('x=5', /^$/), send('x^2', /^25\n$/), send('quit', /^$/, END)],
  },
  {
    name: 'dc',
    command: 'dc',
    steps: [see(/^$/), send('6 7 * p', /^42\n$/), send('q', /^$/, END)],
  },
  {
    name: 'perl -de',
    command: 'perl',
    args: ['-de', '0'],
    steps: [
      see(/DB<1> $/),
      send('print 6 * 7', /^42\n *DB<2> $/),
      send('sleep 2; print "late"', /^late\n *DB<3> $/),
      send('q', /^$/, END),
    ],
  },
  {
    name: 'irb',
    command: 'irb',
    args: ['--nomultiline'],
    steps: [
      see(/> $/),
      send('6 * 7', /=> 42\n.*> $/),
      send('def f(x)', /[*>] +$/),
      send('x + 1; end', /=> :f\n.*> $/),
      send('sleep 1.3; puts "late"', /late\n.*nil *\n.*> $/),
    ],
  },
  {
    name: 'lua',
    command: 'lua5.4',
    steps: [
      see(/> $/),
      send('print(6 * 7)', /^42\n> $/),
      send('function f()', /^>> $/),
      send('return 1 end', /^> $/),
      send('print(io.read())', /^$/),
      send('ann', /^ann\n> $/),
    ],
  },
  {
    name: 'php -a',
    command: 'php',
    args: ['-a'],
    steps: [
      see(/php > $/),
      send('echo 6 * 7, "\\n";', /^42\nphp > $/),
      send('function f() {', /^php \{ $/),
      send('}', /^php > $/),
      send('sleep(2); echo "late\\n";', /^late\nphp > $/),
    ],
  },
  {
    name: 'guile',
    command: 'guile',
    steps: [
      see(/> $/),
      send('(* 6 7)', /42\n.*> $/),
      send('(begin (sleep 2) (display "late"))', /^late.*> $/),
      send('(car 1)', /\[1\]> $/),
    ],
  },
  {
    name: 'tclsh',
    command: 'tclsh8.6',
    steps: [
      see(/% $/),
      send('expr 6 * 7', /^42\n% $/),
      send('after 1300; puts late', /^late\n% $/),
      send('gets stdin', /^$/),
      send('ann', /^ann\n% $/),
    ],
  },
  {
    name: 'jshell',
    command: 'jshell',
    // Every 30 seconds Java would say that it cannot save its preferences.
    args: ['-J-Djava.util.prefs.syncInterval=3600'],
    steps: [
      see(/jshell> +$/),
      send('6 * 7', /==> 42\n\n?jshell> +$/),
      send('int f(int x) { return x; }', /f\(int\)\n\n?jshell> +$/),
      send('Thread.sleep(1300); System.out.println("late");', /late\n\n?jshell> +$/),
    ],
  },
  {
    name: 'gnuplot',
    command: 'gnuplot',
    steps: [
      see(/gnuplot> $/),
      send('print 6 * 7', /^42\ngnuplot> $/),
      send('pause 1.3; print "late"', /^late\ngnuplot> $/),
    ],
  },
  {
    name: 'octave',
    command: 'octave-cli',
    args: ['-q'],
    steps: [
      see(/> $/),
      send('6 * 7', /^ans = 42\n.*> $/),
      send('x = input("n? ");', /^n\? $/),
      send('5', /> $/),
      send('pause(1.3); disp("late")', /^late\n.*> $/),
    ],
  },
  {
    name: 'R',
    command: 'R',
    args: ['--no-save', '-q'],
    steps: [
      see(/> $/),
      send('6 * 7', /^\[1\] 42\n> $/),
      send('f <- function(x) {', /^\+ $/),
      send('x }', /^> $/),
      send('readline("name? ")', /name\? $/),
      send('ann', /"ann"\n> $/),
      send('Sys.sleep(1.3); cat("late\\n")', /^late\n> $/),
    ],
  },
  {
    name: 'erl',
    command: 'erl',
    steps: [see(/1> $/), send('6 * 7.', /42\n2> $/), send('timer:sleep(1300), late.', /late\n3> $/)],
  },
  {
    name: 'gforth',
    command: 'gforth',
    steps: [see(/\n$/), send('6 7 * .', /42 +ok\n$/), send('1300 ms ." late"', /late +ok\n$/)],
  },
  {
    name: 'ftp',
    command: 'tnftp',
    steps: [
      see(/ftp> $/),
      send('status', /Not connected[\s\S]*ftp> $/),
      send('open 127.0.0.1 1', /refused[\s\S]*ftp> $/),
      send('quit', /^$/, END),
    ],
  },
  {
    name: 'cmd.Cmd',
    command: 'python3',
    args: ['main.py'],
    files: {
      'main.py': `import cmd, time
class Bank(cmd.Cmd):
    prompt = '(bank) '
    def do_pay(self, line):
        print('paying'); time.sleep(1.3); print('paid', line)
    def do_quit(self, line): return True
Bank().cmdloop()
`,
    },
    steps: [see(/\(bank\) $/), send('pay 5', /^paying\npaid 5\n\(bank\) $/), send('quit', /^$/, END)],
  },
  {
    name: 'redis-cli',
    command: 'sh',
    args: [
      '-c',
      'redis-server --port 0 --unixsocket ./redis --save "" > log & until [ -S redis ]; do sleep 0.1; done; exec redis-cli -s ./redis',
    ],
    needs: 'redis-server',
    steps: [see(/> $/), send('set a 42', /^OK\n.*> $/), send('get a', /^"42"\n.*> $/), send('quit', /^$/, END)],
  },
];

/** Programs that ask, and programs that write by themselves. */
import { END, type Program, press, see, send } from './program.js';

/** Asks three questions with readline, and works between them. */
const CREATE = `
const rl = require('readline/promises').createInterface({ input: process.stdin, output: process.stdout });
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
(async () => {
  const name = await rl.question('Project name: (app) ');
  await wait(700);
  console.log('Checking ' + name + '...');
  await wait(1300);
  const kind = await rl.question('TypeScript? (y/N) ');
  console.log('Scaffolding in ' + name);
  for (const step of ['package.json', 'src', 'tests']) { await wait(400); console.log('  created ' + step); }
  console.log('Done ' + kind);
  rl.close();
})();
`;

/** Draws a question again at each key, as the prompts of npm create do. */
const SELECT = `
const out = process.stdout, choices = ['vanilla', 'react', 'svelte'];
let at = 0;
process.stdin.setRawMode(true); process.stdin.setEncoding('utf8');
const draw = (again) => { if (again) out.write('\\x1b[3A'); for (const [i, c] of choices.entries()) out.write('\\x1b[2K' + (i === at ? '> ' : '  ') + c + '\\n'); };
out.write('\\x1b[?25l? Select a framework:\\n'); draw(false);
process.stdin.on('data', (key) => {
  if (key === '\\x1b[B') at = (at + 1) % choices.length;
  if (key === '\\r') { out.write('\\x1b[?25hTook ' + choices[at] + '\\n'); setTimeout(() => { console.log('Done.'); process.exit(); }, 700); return; }
  draw(true);
});
`;

const SPINNER = `
const frames = '-\\\\|/'; let i = 0;
const spin = setInterval(() => process.stdout.write('\\r' + frames[i++ % 4] + ' installing'), 80);
setTimeout(() => { clearInterval(spin); process.stdout.write('\\rinstalled 12 packages\\n');
  const rl = require('readline').createInterface({ input: process.stdin, output: process.stdout });
  rl.question('Run it now? ', (a) => { console.log('running ' + a); rl.close(); }); }, 1500);
`;

const DEV_SERVER = `
const server = require('http').createServer((_, r) => r.end('ok'));
server.listen(0, '127.0.0.1', () => { console.log('  VITE ready'); console.log('  press h + enter to show help'); });
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'h') console.log('  press q + enter to quit');
  if (line === 'r') setTimeout(() => console.log('restarted'), 600);
  if (line === 'q') process.exit(0);
});
`;

const TIMERS = `
const rl = require('readline').createInterface({ input: process.stdin, output: process.stdout, prompt: 'bot> ' });
setInterval(() => {}, 200);
rl.prompt();
rl.on('line', (line) => setTimeout(() => { process.stdout.write('thinking'); setTimeout(() => { console.log(' about ' + line); rl.prompt(); }, 900); }, 700));
`;

const FORMS = `import curses
def main(w):
    curses.echo(); w.clear()
    w.addstr(1, 2, 'Name:'); w.refresh(); name = w.getstr(1, 9).decode()
    w.addstr(2, 2, 'Town:'); w.refresh(); town = w.getstr(2, 9).decode()
    w.addstr(4, 2, f'{name} of {town}. Any key'); w.refresh(); w.getch()
curses.wrapper(main)
`;

export const QUESTIONS: readonly Program[] = [
  {
    name: 'npm init',
    command: 'npm',
    args: ['init'],
    steps: [
      see(/package name: \(.*\) $/),
      send('mine', /^version: \(1\.0\.0\) $/),
      send('', /^description: $/),
      send('text', /^entry point: \(index\.js\) $/),
      send('', /^test command: $/),
      send('', /^git repository: $/),
      send('', /^keywords: $/),
      send('', /^author: $/),
      send('', /^license: \(.*\) $/),
      send('', /^type: \(commonjs\) $/),
      send('', /Is this OK\? \(yes\) $/),
      send('', /^[\s\S]*$/, END),
    ],
  },
  {
    name: 'a chain of questions with work between them',
    command: 'node',
    args: ['main.js'],
    files: { 'main.js': CREATE },
    steps: [
      see(/^Project name: \(app\) $/),
      send('mine', /^Checking mine\.\.\.\nTypeScript\? \(y\/N\) $/),
      send('y', /^Scaffolding in mine\n( {2}created .*\n){3}Done y\n$/, END),
    ],
  },
  {
    name: 'a menu that draws itself again',
    command: 'node',
    args: ['main.js'],
    files: { 'main.js': SELECT },
    steps: [
      see(/> vanilla\n {2}react\n {2}svelte\n$/),
      press('down', /> react\n/),
      press('down', /> svelte\n/),
      press('enter', /Took svelte\nDone\.\n/, END),
    ],
  },
  {
    name: 'git add -p',
    command: 'bash',
    args: [
      '-c',
      'git init -q . && git config user.email a@b.c && git config user.name a && seq 30 > f && git add f && git commit -qm one && sed -i "1s/.*/x/;30s/.*/y/" f && git add -p',
    ],
    needs: 'git',
    steps: [
      see(/\(1\/2\) Stage this hunk \[y,n,q,a,d,j,J,g,\/,e,\?\]\? $/),
      send('?', /y - stage this hunk[\s\S]*\(1\/2\) Stage this hunk \[.*\]\? $/),
      send('y', /\(2\/2\) Stage this hunk \[.*\]\? $/),
      send('n', /\n$/, END),
    ],
  },
  {
    name: 'git rebase -i in vim',
    command: 'bash',
    args: [
      '-c',
      'git init -q . && git config user.email a@b.c && git config user.name a && for i in 1 2 3; do git commit -q --allow-empty -m "commit $i"; done; GIT_SEQUENCE_EDITOR="vim -u NONE -i NONE" git rebase -i HEAD~2; git log --oneline | wc -l',
    ],
    needs: 'vim',
    steps: [
      see(/pick .* commit 2/),
      press('j d d', /--No lines in buffer--|pick .* commit 2/),
      press(': w q enter', /Successfully rebased[\s\S]*2\n/, END),
    ],
  },
  {
    name: 'a yes or no, as apt asks it',
    command: 'sh',
    args: [
      '-c',
      'echo "3 newly installed"; printf "Do you want to continue? [Y/n] "; read a; for p in a b c; do echo "Unpacking $p ..."; sleep 0.4; done; echo "Done $a"',
    ],
    steps: [
      see(/^3 newly installed\nDo you want to continue\? \[Y\/n\] $/),
      send('y', /^(Unpacking . \.\.\.\n){3}Done y\n$/, END),
    ],
  },
  {
    name: 'passwords without echo',
    command: 'sh',
    args: [
      '-c',
      'stty -echo; printf "New password: "; read a; echo; printf "Retype new password: "; read b; stty echo; echo; [ "$a" = "$b" ] && echo updated',
    ],
    steps: [
      see(/^New password: $/),
      send('Xq7-not-shown', /^\n?Retype new password: $/),
      send('Xq7-not-shown', /^\n?updated\n$/, END),
    ],
  },
  {
    name: 'ssh-keygen',
    command: 'ssh-keygen',
    args: ['-t', 'ed25519'],
    steps: [
      see(/Enter file in which to save the key \(.*\): $/),
      send('key', /Enter passphrase \(empty for no passphrase\): $/),
      send('', /Enter same passphrase again: $/),
      send('', /SHA256/, END),
    ],
  },
  {
    name: 'input() in a loop',
    command: 'python3',
    args: ['main.py'],
    files: {
      'main.py':
        'import time\ntotal = 0\nwhile True:\n    line = input(f"[{total}] number: ")\n    if line == "q": break\n    print("adding"); time.sleep(1.2)\n    total += int(line)\n',
    },
    steps: [
      see(/^\[0\] number: $/),
      send('5', /^adding\n\[5\] number: $/),
      send('37', /^adding\n\[42\] number: $/),
      send('q', /^$/, END),
    ],
  },
  {
    name: 'a filter without prompts',
    command: 'python3',
    args: ['-u', '-c', 'import sys\nfor line in sys.stdin: print(line.strip().upper())'],
    steps: [see(/^$/), send('one', /^ONE\n$/), send('two', /^TWO\n$/), press('ctrl-d', /^$/, END)],
  },
  {
    name: 'cat',
    command: 'cat',
    steps: [see(/^$/), send('one', /^one\n$/), send('two', /^two\n$/), press('ctrl-d', /^$/, END)],
  },
  {
    name: 'tail -f',
    command: 'sh',
    args: ['-c', 'echo first > log; (sleep 2; echo second >> log) & tail -f log'],
    steps: [see(/^first\n$/, { reason: 'timeout', timeoutMs: 1_500, writesOn: true })],
  },
  {
    name: 'output at intervals, as of ping',
    command: 'sh',
    args: ['-c', 'for i in 1 2 3 4 5 6; do echo "64 bytes: seq=$i"; sleep 0.5; done; echo "6 received"'],
    steps: [see(/seq=1\n[\s\S]*seq=6\n6 received\n$/, END)],
  },
  {
    name: 'output late, in bursts, and from a child',
    command: 'bash --norc --noprofile',
    steps: [
      see(/[$#] $/),
      send('sleep 1.5; echo late', /^late\n.*[$#] $/),
      send('for i in 1 2 3; do seq 3; sleep 0.7; done', /^(1\n2\n3\n){3}.*[$#] $/),
      send("printf '%s' 'bash-5.2# '; sleep 0.9; echo end", /^bash-5\.2# end\n.*[$#] $/),
      send("for p in 10 50 100; do printf '\\r%s%%' $p; sleep 0.4; done; echo", /100%\n.*[$#] $/),
      send('seq 3 | while read x; do sleep 0.4; echo $x; done', /^1\n2\n3\n.*[$#] $/),
      send('sh -c "sleep 0.8; echo child" & wait', /child\n[\s\S]*[$#] $/),
      send('x=$(sleep 1.2; echo sub); echo $x', /^sub\n.*[$#] $/),
    ],
  },
  {
    name: 'a spinner before a question',
    command: 'node',
    args: ['main.js'],
    files: { 'main.js': SPINNER },
    steps: [see(/installed 12 packages\nRun it now\? $/), send('y', /^running y\n$/, END)],
  },
  {
    name: 'a dev server that reads its terminal',
    command: 'node',
    args: ['main.js'],
    files: { 'main.js': DEV_SERVER },
    steps: [
      see(/VITE ready\n {2}press h \+ enter to show help\n$/),
      send('h', /^ {2}press q \+ enter to quit\n$/),
      send('r', /^restarted\n$/),
      send('q', /^$/, END),
    ],
  },
  {
    name: 'an event loop with timers that answers late',
    command: 'node',
    args: ['main.js'],
    files: { 'main.js': TIMERS },
    steps: [see(/^bot> $/), send('life', /^thinking about life\nbot> $/), send('more', /^thinking about more\nbot> $/)],
  },
  {
    name: 'a form of curses',
    command: 'python3',
    args: ['main.py'],
    files: { 'main.py': FORMS },
    steps: [
      see(/Name:$/m),
      send('ann', /Name: +ann\n +Town:$/m),
      send('ulm', /ann of ulm\. Any key/),
      press('x', /^/, END),
    ],
  },
  {
    name: 'a program that compiles and then asks',
    command: 'bash',
    args: [
      '-c',
      'printf "Compiling app v0.1.0\\n"; e=$((SECONDS+2)); while [ $SECONDS -lt $e ]; do :; done; printf "Running app\\n> "; while read l; do printf "you said %s\\n> " "$l"; done',
    ],
    steps: [see(/^Compiling app v0\.1\.0\nRunning app\n> $/), send('hi', /^you said hi\n> $/)],
  },
  {
    name: 'cargo run',
    command: 'cargo',
    args: ['run', '--offline'],
    files: {
      'Cargo.toml': '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/main.rs':
        'use std::io::*;\nfn main() { loop { print!("> "); stdout().flush().unwrap(); let mut l = String::new(); if stdin().read_line(&mut l).unwrap() == 0 { break } println!("you said {}", l.trim()); } }\n',
    },
    steps: [see(/Running `.*`\n> $/), send('hi', /^you said hi\n> $/)],
  },
  {
    name: 'a background writer of a program that ends',
    command: 'bash --norc --noprofile',
    steps: [
      see(/[$#] $/),
      send('(for i in 1 2 3; do sleep 0.5; echo bg$i; done) & echo started', /started\n.*[$#] $/, { writesOn: true }),
      send('wait; echo over', /over\n.*[$#] $/),
    ],
  },
];

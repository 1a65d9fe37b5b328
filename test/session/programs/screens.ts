/** Full-screen programs. */
import { END, type Program, press, see, send } from './program.js';

const LINES = Array.from({ length: 200 }, (_, at) => `line ${at + 1}`).join('\n');
const text = { 'text.txt': `${LINES}\n` };

export const SCREENS: readonly Program[] = [
  {
    name: 'less',
    command: 'less',
    args: ['text.txt'],
    files: text,
    steps: [
      see(/^line 1\n[\s\S]*text\.txt/),
      press('space', /^line 50\n/),
      press('G', /line 200\n/),
      send('?line 77', /^line 77\n/),
      press('q', /^/, END),
    ],
  },
  {
    name: 'more',
    command: 'more',
    args: ['text.txt'],
    files: text,
    steps: [see(/line 49\n--More--/), press('space', /line 98\n--More--/), press('q', /^/, END)],
  },
  {
    name: 'man, which is given no pager',
    command: 'man',
    args: ['-l', 'page.1'],
    files: { 'page.1': '.TH APP 1\n.SH NAME\napp \\- does it\n' },
    steps: [see(/APP\(1\)[\s\S]*does it/, END)],
  },
  {
    name: 'vim',
    command: 'vim',
    args: ['-u', 'NONE', '-i', 'NONE', '-n', 'text.txt'],
    files: text,
    steps: [
      see(/^line 1\n/),
      press('o n e w esc', /^line 1\nnew\n/),
      press('G', /line 200$/m),
      press('g g', /^line 1\nnew\n/),
      send(':%s/line/row', /row 149|row 200/),
      send(':w', /written/),
      send(':q', /^/, END),
    ],
  },
  {
    name: 'nano',
    command: 'nano',
    args: ['--ignorercfiles', 'text.txt'],
    files: text,
    steps: [
      see(/line 1\n[\s\S]*\^G Help/),
      press('n e w', /newline 1\n/),
      press('ctrl-x', /Save modified buffer/),
      press('y', /File Name to Write: text\.txt/),
      press('enter', /^/, END),
    ],
  },
  {
    name: 'top',
    command: 'top',
    args: ['-d', '60'],
    steps: [see(/%CPU[\s\S]*top/), press('h', /Help for Interactive/), press('q', /%CPU/), press('q', /^/, END)],
  },
  {
    name: 'top at its own pace',
    command: 'top',
    steps: [
      see(/%CPU[\s\S]*top/, { writesOn: true }),
      press('h', /Help for Interactive/, { writesOn: true }),
      press('esc', /%CPU/, { writesOn: true }),
      press('q', /^/, END),
    ],
  },
  {
    name: 'htop',
    command: 'htop',
    steps: [
      see(/F1Help/, { writesOn: true }),
      press('f1', /help|Help/, { writesOn: true }),
      press('q', /F1Help/, { writesOn: true }),
      press('q', /^/, END),
    ],
  },
  {
    name: 'watch',
    command: 'watch',
    args: ['-n', '1', 'date +%s; echo seen'],
    steps: [see(/seen/, { writesOn: true, reason: 'timeout', timeoutMs: 2_500 })],
  },
  {
    name: 'dialog, yes or no',
    command: 'dialog',
    args: ['--yesno', 'Really?', '8', '40'],
    steps: [see(/Really\?[\s\S]*Yes/), press('right', /Really\?/), press('enter', /^/, END)],
  },
  {
    name: 'dialog, a menu',
    command: 'dialog',
    args: ['--menu', 'Pick', '12', '40', '4', 'a', 'apples', 'b', 'pears'],
    steps: [see(/Pick[\s\S]*apples/), press('down', /pears/), press('enter', /b/, END)],
  },
  {
    name: 'whiptail',
    command: 'whiptail',
    args: ['--inputbox', 'Name?', '8', '40'],
    steps: [see(/Name\?/), press('a n n', /ann/), press('enter', /ann/, END)],
  },
  {
    name: 'fzf',
    command: 'bash',
    args: ['-c', 'seq 100 | fzf'],
    needs: 'fzf',
    steps: [see(/100\/100/), press('4 2', /1\/100/), press('enter', /42/, END)],
  },
  {
    name: 'mc',
    command: 'mc',
    args: ['-d'],
    steps: [see(/1Help/), press('f9', /File/), press('esc esc', /1Help/), press('f10', /^/, END)],
  },
];

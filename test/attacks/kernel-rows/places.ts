import { type KernelAttack, rows } from '../kernel-attack.js';

const execute = rows({ confine: { exec: 'listed' }, effect: 'ran', needs: ['env'] });
const runs = rows({ confine: { exec: 'listed', writes: 'roots' }, effect: 'ran', anywhere: true, needs: ['env'] });
const PLACE = './bin/*';
const PLANTED = 'mkdir bin; cp /usr/bin/touch copy';

/** Programs that commands planted where no rule names a place, or where a place leads elsewhere. */
export const PLACE_ATTACKS: readonly KernelAttack[] = [
  execute('place-elsewhere', 'a copy in a root with a place', ['env', '{WORK}/copy', '{RAN}'], {
    allow: ['env', PLACE],
    setup: PLANTED,
  }),
  execute('place-xargs', 'the same by xargs', ['xargs', './copy'], {
    allow: ['xargs', PLACE],
    setup: PLANTED,
    input: '{RAN}',
  }),
  execute('place-find', 'the same by find', ['find', './copy', '-exec', '{}', '{RAN}', ';'], {
    allow: ['find', PLACE],
    setup: PLANTED,
  }),
  execute('place-shell', 'the same by a shell', ['sh', '-c', './copy {RAN}'], { allow: ['sh', PLACE], setup: PLANTED }),
  execute('place-file-only', 'beside a place that is one file', ['env', './copy', '{RAN}'], {
    allow: ['env', './other'],
    setup: 'cp /usr/bin/touch copy; cp copy other',
  }),
  execute('place-root-deep', 'beneath the files of the root', ['env', './bin/copy', '{RAN}'], {
    allow: ['env', './*'],
    setup: 'mkdir bin; cp /usr/bin/touch bin/copy; cp bin/copy other',
  }),
  execute('place-temporary', 'a copy in the temporary folder', ['execute', 'temporary', '/usr/bin/touch', '{RAN}'], {
    allow: ['execute', PLACE, 'go'],
    setup: PLANTED,
  }),
  execute('place-link', 'a dependency folder that leads to another one', ['env', './evil/.bin/x', '{RAN}'], {
    allow: ['env', './node_modules/.bin/*'],
    setup: 'mkdir -p evil/.bin; cp /usr/bin/touch evil/.bin/x; ln -s evil node_modules',
  }),
  execute('place-outside', 'a link at a place to a file outside that others may change', ['env', './bin/x', '{RAN}'], {
    allow: ['env', PLACE],
    setup: 'cp /usr/bin/touch {OUTSIDE}/x; chmod 777 {OUTSIDE}/x; mkdir bin; ln -s {OUTSIDE}/x bin/x',
  }),
  execute(
    'place-late',
    'a place that is made within the run',
    ['sh', '-c', 'mkdir bin; cp /usr/bin/touch bin/x; bin/x {RAN}'],
    {
      allow: ['sh', 'mkdir', 'cp', PLACE],
      needs: ['sh'],
    },
  ),
  execute('place-interpreter', 'a script at a place whose interpreter is a copy elsewhere', ['env', './bin/x'], {
    allow: ['env', PLACE],
    files: { 'bin/x': '#!{WORK}/copy {RAN}\n' },
    mode: ['bin/x'],
    setup: 'cp /usr/bin/touch copy',
  }),
];

/** What a place is for. */
export const PLACE_USES: readonly KernelAttack[] = [
  runs('place-runs', 'a program at a place', ['env', './bin/x', '{RAN}'], {
    allow: ['env', PLACE],
    setup: 'mkdir bin; cp /usr/bin/touch bin/x',
  }),
  runs('place-script', 'a script at a place, with an interpreter that nobody listed', ['env', './bin/x'], {
    allow: ['env', PLACE],
    files: { 'bin/x': '#!/bin/sh\n: > {RAN}\n' },
    mode: ['bin/x'],
  }),
  runs('place-linked', 'a link at a place that leads to a program of the machine', ['env', './bin/x', '{RAN}'], {
    allow: ['env', PLACE],
    setup: 'mkdir bin; ln -s /usr/bin/touch bin/x',
  }),
  runs('place-dependency', 'a native program deep in a dependency folder', ['env', './node_modules/a/b/x', '{RAN}'], {
    allow: ['env', './node_modules/.bin/*'],
    setup: 'mkdir -p node_modules/.bin node_modules/a/b; cp /usr/bin/touch node_modules/a/b/x',
  }),
  runs(
    'place-library',
    'a library in a dependency folder',
    ['python3', '-c', 'import ctypes; ctypes.CDLL("{WORK}/node_modules/lib.so")'],
    {
      allow: ['python3', './node_modules/.bin/*'],
      setup: 'mkdir -p node_modules/.bin; mv {LIB} node_modules; ln -s ../ran node_modules/ran',
      needs: ['python3'],
    },
  ),
  runs('place-tree', 'a program beneath a place', ['env', './out/a/b/x', '{RAN}'], {
    allow: ['env', './out/**'],
    setup: 'mkdir -p out/a/b; cp /usr/bin/touch out/a/b/x',
  }),
];

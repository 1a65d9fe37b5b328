import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { layerBreaches } from '../../scripts/lib/layers/all.mjs';
import { Copy, REPOSITORY } from '../support/copy.js';

let copy: Copy;

function check(): { code: number | null; output: string } {
  const script = path.join(REPOSITORY, 'scripts/check-layers.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, copy.folder], { encoding: 'utf8' });
  return { code: status, output: stdout + stderr };
}

/** Makes a crate depend on another one, which is in the workspace's table already. */
function addDependency(crate: string, dependency: string): void {
  copy.replace(`crates/${crate}/Cargo.toml`, '[lints]', `[dependencies.${dependency}]\nworkspace = true\n\n[lints]`);
}

/** A breach: what breaks the rule, and what the checker must say. */
interface Breach {
  readonly rule: string;
  readonly make: () => void;
  readonly says: string;
}

const BREACHES: readonly Breach[] = [
  {
    rule: 'only the binding knows N-API',
    make: () => addDependency('process', 'napi'),
    says: 'handrail-process depends on napi: only handrail-node knows N-API',
  },
  {
    rule: 'text does no IO',
    make: () => addDependency('text', 'rustix'),
    says: 'handrail-text does no IO and depends on rustix',
  },
  {
    rule: 'redact does no IO',
    make: () => addDependency('redact', 'libc'),
    says: 'handrail-redact does no IO and depends on libc',
  },
  {
    rule: 'policy does no IO',
    make: () => addDependency('policy', 'rustix'),
    says: 'handrail-policy does no IO and depends on rustix',
  },
  {
    rule: 'policy knows no processes',
    make: () => addDependency('policy', 'handrail-supervisor'),
    says: 'handrail-policy depends on handrail-supervisor, which is not a layer below it',
  },
  {
    rule: 'crates form no circle',
    make: () => addDependency('policy', 'handrail-process'),
    says: 'cyclic package dependency',
  },
  {
    rule: 'no more than five files of the redactor import each other in a circle',
    make: () => copy.replace('crates/redact/src/limits.rs', '//! Limits', 'use crate::engine as _;\n\n//! Limits'),
    says: 'files import each other in a circle (at most 5)',
  },
  {
    rule: 'a pure crate keeps its clippy rules',
    make: () => copy.write('crates/redact/clippy.toml', 'allow-unwrap-in-tests = true\n'),
    says: 'crates/redact/clippy.toml differs from crates/text/clippy.toml',
  },
  {
    rule: 'only ts/native loads native code',
    make: () => copy.write('ts/terminal/shortcut.ts', "import { createRequire } from 'node:module';\n"),
    says: 'ts/terminal/shortcut.ts loads native code or modules by hand',
  },
  {
    rule: 'only ts/native knows the generated types',
    make: () => copy.write('ts/terminal/shortcut.ts', "import type { X } from '../native/generated.js';\n"),
    says: 'only ts/native loads the binding',
  },
  {
    rule: 'only ts/native uses the binding as a value',
    make: () => copy.write('ts/terminal/shortcut.ts', "import { x } from '../native/binding.js';\n"),
    says: 'outside of ts/native only its types may be used',
  },
  {
    rule: 'only ts/config reads the environment',
    make: () => copy.write('ts/tools/shortcut.ts', 'export const key = process.env["KEY"];\n'),
    says: 'ts/tools/shortcut.ts reads the environment',
  },
  {
    rule: 'only ts/config reads the environment, by a named import either',
    make: () =>
      copy.write('ts/tools/shortcut.ts', "import { env } from 'node:process';\nexport const key = env['KEY'];\n"),
    says: 'ts/tools/shortcut.ts reads the environment',
  },
  {
    rule: 'nothing below imports the command line',
    make: () => copy.write('ts/tools/shortcut.ts', "import { USAGE } from '../cli/usage.js';\n"),
    says: 'ts/tools may not know ts/cli',
  },
  {
    rule: 'nothing below imports an adapter',
    make: () => copy.write('ts/terminal/shortcut.ts', "export { agentTools } from '../adapters/openai-agents.js';\n"),
    says: 'ts/terminal may not know ts/adapters',
  },
  {
    rule: 'the terminal does not know the tools',
    make: () => copy.write('ts/terminal/shortcut.ts', "const tools = await import('../tools/executor.js');\n"),
    says: 'ts/terminal may not know ts/tools',
  },
  {
    rule: 'the tools do not know the toolkit',
    make: () => copy.write('ts/tools/shortcut.ts', "import { createToolkit } from '../toolkit.js';\n"),
    says: 'ts/tools may not know ts/toolkit',
  },
  {
    rule: 'nothing is imported from outside of ts',
    make: () => copy.write('ts/tools/shortcut.ts', "import '../../scripts/build.mjs';\n"),
    says: 'it is outside of ts/',
  },
  {
    rule: 'no imports in a circle',
    make: () => {
      copy.write('ts/tools/one.ts', "import './two.js';\n");
      copy.write('ts/tools/two.ts', "import './one.js';\n");
    },
    says: 'imports in a circle: ts/tools/one.ts -> ts/tools/two.ts -> ts/tools/one.ts',
  },
  {
    rule: 'no imports in a circle, of types either',
    make: () => {
      copy.write('ts/tools/one.ts', "import type { Two } from './two.js';\nexport interface One { two: Two }\n");
      copy.write('ts/tools/two.ts', "import type { One } from './one.js';\nexport interface Two { one: One }\n");
    },
    says: 'imports in a circle: ts/tools/one.ts -> ts/tools/two.ts -> ts/tools/one.ts',
  },
  {
    rule: 'the table of folders lets no import lead up',
    make: () => copy.replace('scripts/lib/layers/folders.json', '"config": ["base"]', '"config": ["base", "terminal"]'),
    says: 'folders.json lets ts/config import ts/terminal, which is not below it',
  },
  {
    rule: 'the table of folders lets no two folders import each other',
    make: () =>
      copy.replace('scripts/lib/layers/folders.json', '"native": ["base"]', '"native": ["base", "redaction"]'),
    says: 'folders.json lets ts/native import ts/redaction, which is not below it',
  },
  {
    rule: 'a new folder gets a place first',
    make: () => copy.write('ts/helpers/one.ts', 'export const one = 1;\n'),
    says: 'ts/helpers is not in scripts/lib/layers/folders.json',
  },
  {
    rule: 'every export is named',
    make: () => copy.append('ts/index.ts', "export * from './errors.js';\n"),
    says: 'ts/index.ts exports with *',
  },
  {
    rule: 'no file has more than 500 lines',
    make: () => copy.write('ts/tools/long.ts', 'export {};\n'.repeat(501)),
    says: 'ts/tools/long.ts: 501 lines, at most 500 are allowed',
  },
  {
    rule: 'a new expression says what it reads',
    make: () => copy.write('ts/tools/shortcut.ts', 'export const shortcut = (text: string) => /a[/]b/.test(text);\n'),
    says: 'ts/tools/shortcut.ts has /a[/]b/, which scripts/lib/layers/expressions.json does not list',
  },
  {
    rule: 'a new expression says what it reads, one that is built too',
    make: () => copy.write('ts/tools/shortcut.ts', "export const shortcut = new RegExp('a');\n"),
    says: 'ts/tools/shortcut.ts has new RegExp, which',
  },
  {
    rule: 'no expression is listed that is not there',
    make: () => copy.replace('ts/cli/wrap.ts', String.raw`/\s+/`, "' '"),
    says: String.raw`lists /\s+/ of ts/cli/wrap.ts, which is not there`,
  },
  {
    rule: 'no file is listed that is not there',
    make: () => copy.replace('scripts/lib/layers/expressions.json', 'ts/cli/wrap.ts', 'ts/cli/gone.ts'),
    says: 'expressions.json lists ts/cli/gone.ts, which is not there',
  },
  {
    rule: 'what an expression reads is said',
    make: () => copy.replace('scripts/lib/layers/expressions.json', '"any text that is shown in lines"', '" "'),
    says: String.raw`says nothing of /\s+/ of ts/cli/wrap.ts`,
  },
  {
    rule: 'no report is read back',
    make: () => copy.append('ts/report/advice.ts', "export const isOurs = (r: Reason) => r.message.startsWith('x');\n"),
    says: 'ts/report/advice.ts reads a sentence of ours back',
  },
  {
    rule: 'no reader of reports reads them back',
    make: () => copy.append('ts/tools/next-call.ts', 'export const isOurs = (r: Reason) => PATTERN.exec(r.hint);\n'),
    says: 'ts/tools/next-call.ts reads a sentence of ours back',
  },
];

describe('layer rules', () => {
  beforeAll(() => {
    copy = new Copy();
  });
  afterEach(() => copy.restore());
  afterAll(() => copy.remove());

  it('hold for the repository as it is, and for a file of exactly 500 lines', () => {
    copy.write('ts/tools/long.ts', 'export {};\n'.repeat(500));
    expect(check()).toEqual({ code: 0, output: 'layer rules hold\n' });
  });

  it('are lines and a failure of the script when broken', () => {
    copy.write('ts/tools/long.ts', 'export {};\n'.repeat(501));
    expect(check()).toEqual({ code: 1, output: expect.stringMatching(/^.*ts\/tools\/long\.ts.*\n1 breached\n$/) });
  });

  it.each(BREACHES)('fail when broken: $rule', ({ make, says }) => {
    make();
    expect(layerBreaches(copy.folder).join('\n')).toContain(says);
  });

  it('are not fooled by comments that name what code may not do', () => {
    copy.write('ts/tools/talk.ts', '// process.env is read elsewhere\n/* export * from */\nexport const talk = 1;\n');
    expect(layerBreaches(copy.folder)).toEqual([]);
  });
});

// node --experimental-vm-modules parse-modules.mjs: takes modules as a JSON array of texts on standard input, and answers
// with what each imports, or why it is no module. Nothing of them runs: they are parsed by the V8 that would run them.
import { readFileSync } from 'node:fs';
import { SourceTextModule } from 'node:vm';

function parse(text) {
  try {
    const module = new SourceTextModule(text);
    // The second is what Node 20 and 22 know.
    const specifiers = module.moduleRequests?.map(({ specifier }) => specifier) ?? module.dependencySpecifiers;
    return { specifiers };
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: error.message };
    throw error;
  }
}

process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, 'utf8')).map(parse)));

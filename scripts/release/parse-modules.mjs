// node --experimental-vm-modules parse-modules.mjs: reads a JSON array of module texts from standard input, and prints for
// each its import specifiers, or its syntax error. The modules are parsed by V8 and do not run.
import { readFileSync } from 'node:fs';
import { SourceTextModule } from 'node:vm';

function parse(text) {
  try {
    const module = new SourceTextModule(text);
    // Node 20 and 22 have only `dependencySpecifiers`.
    const specifiers = module.moduleRequests?.map(({ specifier }) => specifier) ?? module.dependencySpecifiers;
    return { specifiers };
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: error.message };
    throw error;
  }
}

process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, 'utf8')).map(parse)));

import { lastValue, readArguments } from './arguments.js';
import { DEMO } from './command-table.js';
import { oneOf } from './confine-options.js';
import { RIVALS } from './demo/rivals.js';
import { SCENES } from './demo/scenes.js';
import { gapLine, headLines, sceneLines } from './demo/screen.js';
import { guardedSide, rivalSide, type Side } from './demo/sides.js';
import { makeWorkspace, removeWorkspace } from './demo/workspace.js';
import { EndSignals } from './end-signals.js';
import { EXIT, signalCode } from './exit-code.js';
import type { Outputs } from './outputs.js';
import { styleFor } from './style.js';
import { UsageError } from './usage-error.js';

/** Runs `handrail demo` and returns its exit code. Each side works in its own temporary folder, which is removed afterwards. */
export async function demo(args: readonly string[], outputs: Outputs): Promise<number> {
  const line = readArguments(args, DEMO);
  if (line.words.length > 0) throw new UsageError('demo takes options only');
  const rival = oneOf('beside', lastValue(line, 'beside') ?? RIVALS[0], RIVALS);
  using signals = new EndSignals();
  const signal = AbortSignal.any([signals.signal, outputs.gone]);
  const folders: string[] = [];
  const sides: Side[] = [];
  try {
    for (const make of [(folder: string) => rivalSide(rival, folder), guardedSide]) {
      const folder = makeWorkspace();
      folders.push(folder);
      sides.push(await make(folder));
    }
    await show(sides, folders, outputs, signal);
  } finally {
    await Promise.all(sides.map((side) => side.close()));
    for (const folder of folders) removeWorkspace(folder);
  }
  return signals.first === null ? EXIT.ok : signalCode(signals.first);
}

async function show(
  sides: readonly Side[],
  folders: readonly string[],
  outputs: Outputs,
  signal: AbortSignal,
): Promise<void> {
  const style = styleFor(process.stdout);
  const print = (lines: readonly string[]) => outputs.write('stdout', `${lines.join('\n')}\n`);
  await print(
    headLines(
      sides.map(({ name }) => name),
      style,
    ),
  );
  for (const [number, scene] of SCENES.entries()) {
    const modelTexts = await Promise.all(sides.map((side) => side.run(scene, signal)));
    if (signal.aborted) return;
    const sideOutcomes = modelTexts.map((text, index) => ({
      modelText: text,
      outcome: scene.judge(text, folders[index] ?? ''),
    }));
    await print([...(number === 0 ? [] : [gapLine(sides)]), ...sceneLines(scene, sideOutcomes, style)]);
  }
}

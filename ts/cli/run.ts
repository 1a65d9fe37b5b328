import type { Project } from '../presets/project.js';
import type { CommandResult } from '../report/result.js';
import type { Approve } from '../terminal/approval.js';
import type { TerminalOptions } from '../terminal/options.js';
import type { ProjectNetwork } from '../terminal/reached-hosts.js';
import { Terminal } from '../terminal/terminal.js';
import { askPerson, whyUnasked } from './ask-person.js';
import { RUN } from './command-table.js';
import { confineOptions } from './confine-options.js';
import { jsonWithDecision } from './decision-json.js';
import { EndSignals } from './end-signals.js';
import { EXIT, exitCodeOf } from './exit-code.js';
import { rootOfRun } from './implied-root.js';
import type { Outputs } from './outputs.js';
import { policyOptions } from './policy-options.js';
import { programOptions } from './program-options.js';
import { withProject } from './project-options.js';
import { scriptAdvice } from './script-advice.js';
import { readLineWithSettings } from './settings.js';
import { assertInputReadable, isInputOffered } from './standard-input.js';
import { hasRun, statusText } from './status-text.js';
import { differenceLines, Trial, type TrialEnd, type TrialOptions, trialLines } from './trial.js';
import { UsageError } from './usage-error.js';

/** The arguments of `handrail run`. */
interface RunRequest {
  /** A script, or an argv. */
  readonly command: string | readonly string[];
  readonly options: TerminalOptions;
  readonly json: boolean;
  readonly stdin: boolean;
  /** Whether the status line is left out, so that only the output of the command is written. */
  readonly quiet: boolean;
  /** Whether nobody is asked about what the policy leaves open. */
  readonly noAsk: boolean;
  /** The name of the settings file that was read. */
  readonly file: string | undefined;
  /** The project whose presets are used. */
  readonly project: Project | undefined;
  /** What its presets say about the network. */
  readonly network: ProjectNetwork | undefined;
  /** Where what the command changes is shown first: whether it is kept, and how it is shown. */
  readonly tries: TrialOptions | undefined;
}

/** Runs `handrail run` and returns its exit code. */
export async function run(args: readonly string[], outputs: Outputs): Promise<number> {
  const request = readRequest(args);
  if (request.stdin) assertInputReadable();
  using signals = new EndSignals();
  const unasked = whyUnasked(request.noAsk);
  const signal = AbortSignal.any([signals.signal, outputs.gone]);
  const { result, approvedHosts, trial } = await perform(request, outputs, signal, unasked === undefined);
  if (request.json)
    void outputs.write('stdout', `${jsonWithDecision(trial === undefined ? result : { ...result, trial })}\n`);
  await outputs.settle(signals.signal);
  // A command that did not run always gets its status line: nothing else says why.
  const silent = request.json || (request.quiet && hasRun(result));
  if (!silent && outputs.failure === undefined) {
    const circumstances = {
      inputOffered: !request.stdin && isInputOffered(),
      file: request.file,
      unasked,
      script: hasRun(result) ? undefined : await scriptAdvice(request, request.options),
      project: request.project,
      approvedHosts,
      trial: trial === undefined ? [] : trialLines(trial, request.tries?.keep === true),
    };
    const text = statusText(result, request.options, circumstances);
    void outputs.remark([text, ...differenceLines(trial), ''].join('\n'));
    await outputs.settle(signals.signal);
  }
  if (trial?.problem !== undefined && result.ok) return EXIT.failure;
  return exitCodeOf(result, request, signals.first);
}

interface Performed {
  readonly result: CommandResult;
  /** The hosts that the person agreed to. */
  readonly approvedHosts: readonly string[];
  /** What became of the changes of a command that was tried. */
  readonly trial: TrialEnd | undefined;
}

async function perform(request: RunRequest, outputs: Outputs, signal: AbortSignal, asks: boolean): Promise<Performed> {
  await using trial = request.tries === undefined ? undefined : await Trial.begin(request.options);
  // That of a trial is closed with it.
  await using terminal = trial?.terminal ?? new Terminal(request.options, { project: request.network });
  let lastAnswer: Promise<unknown> = Promise.resolve();
  // Two hosts can be asked about at one time, and there is one terminal. What is typed may be the input of the command.
  const approve: Approve = (question) => {
    if (question.host !== undefined && request.stdin) return { approved: false };
    const answer = lastAnswer.then(() => askPerson(question, terminal.approvedPlan));
    lastAnswer = answer.catch(() => undefined);
    return answer;
  };
  const result = await terminal.run(request.command, {
    signal,
    stdin: request.stdin ? process.stdin : undefined,
    ...(asks ? { approve } : {}),
    // The next piece waits until the reader has taken this one, so that a flood is never held in memory.
    ...(request.json ? {} : { onOutput: ({ stream, text }) => outputs.write(stream, text) }),
  });
  const ended = request.tries && (await trial?.end(result, request.tries));
  return { result, approvedHosts: terminal.approvedHosts, trial: ended };
}

function readRequest(args: readonly string[]): RunRequest {
  const line = readLineWithSettings(args, RUN);
  const shell = line.flags.has('shell');
  if (line.words.length === 0) throw new UsageError(`which ${shell ? 'script' : 'program'}? Name it last`);
  if (shell && line.words.length > 1) throw new UsageError('--shell takes one word: put the script in quotes');
  const tries = line.flags.has('try');
  const [keep, diff] = [line.flags.has('keep'), line.flags.has('diff')];
  if (keep && !tries) throw new UsageError('--keep goes with --try');
  if (diff && !tries) throw new UsageError('--diff goes with --try');
  const { options, project, network } = withProject(line, {
    ...policyOptions(line, rootOfRun(line)),
    ...confineOptions(line),
    shell: shell ? 'bash' : 'none',
    ...programOptions(line),
    // A spill file would be removed with this process.
    output: { spillBytes: 0 },
  });
  return {
    command: shell ? (line.words[0] ?? '') : line.words,
    options,
    json: line.flags.has('json'),
    stdin: line.flags.has('stdin'),
    quiet: line.flags.has('quiet'),
    noAsk: line.flags.has('no-ask'),
    file: line.file,
    project,
    network,
    tries: tries ? { keep, diff } : undefined,
  };
}

import path from 'node:path';

import type { Decision } from '../report/decision.js';
import type { EnforcedPlan, KernelPlan } from './blocked.js';
import type { Runner } from './runner.js';

/** The kernel plans of the commands of one terminal. */
export class HeldPlans {
  readonly #runner: Runner;
  /** That of a command which nobody has to approve, once it was asked for. */
  #plan: KernelPlan | undefined;

  constructor(runner: Runner) {
    this.#runner = runner;
  }

  /** The plan of a command. One that was approved may start any program and remove files. Undefined where none is enforced. */
  of(decision: Decision['decision']): KernelPlan | undefined {
    if (!this.#runner.engine.confines) return undefined;
    this.#plan ??= this.#runner.planAsHeld();
    return decision === 'ask' ? { ...this.#plan, exec: 'any', remove: 'yes' } : this.#plan;
  }

  /** The plan that a run in this directory was under. */
  enforcedOn(cwd: string, { decision }: Decision): EnforcedPlan | undefined {
    const plan = this.of(decision);
    return plan && this.#runner.enforcedPlan(plan, path.resolve(this.#runner.cwd, cwd));
  }
}

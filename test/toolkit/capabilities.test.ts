/** What a toolkit says of itself is what its terminal was asked for. How far each goes depends on the machine. */
import { describe, expect, it } from 'vitest';
import type { ConfineOptions, Guarantee } from '../../ts/index.js';
import type { Toolkit } from '../../ts/toolkit.js';
import { toolkits } from '../support/toolkits.js';

const { make } = toolkits();

/** Those that are chosen; the others hold for every command. */
const CHOICES = ['writes', 'exec', 'network', 'remove'];

const missing = (toolkit: Toolkit): readonly string[] => {
  const { features } = toolkit.capabilities();
  return features
    .filter(({ feature, level }) => CHOICES.includes(feature) && level === 'unavailable')
    .map(({ feature }) => feature);
};

function terminal(confine: ConfineOptions, require: readonly Guarantee[] = []) {
  return { terminal: { allow: ['true'], confine, require } };
}

describe('capabilities', () => {
  it('are those of the options of its terminal', async () => {
    expect(missing(await make(terminal({ network: 'none', remove: 'no' })))).toEqual([]);
    expect(missing(await make(terminal({})))).toEqual(['network', 'remove']);
    expect(missing(await make(terminal({ writes: 'any', exec: 'any' })))).toEqual(CHOICES);
  });

  it('are required before there is a toolkit', async () => {
    await make(terminal({ network: 'none' }, ['writes', 'network']));
    const lacking = make(terminal({ exec: 'any' }, ['writes', 'exec']));
    await expect(lacking).rejects.toMatchObject({ code: 'ERR_GUARANTEE_UNAVAILABLE', data: { guarantee: 'exec' } });
  });

  it('say what its commands get', async () => {
    const toolkit = await make(terminal({ network: 'none' }));
    const { data } = await toolkit.execute('terminal_run', { command: 'true' });
    const chosen = ['writes', 'exec', 'network'].map((name) => expect.stringMatching(new RegExp(`^${name}: `)));
    expect(data).toMatchObject({ sandbox: { profile: 'default', enforced: expect.arrayContaining(chosen) } });
  });
});

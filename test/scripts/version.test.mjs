import { expect, it } from 'vitest';
import { compareVersions, satisfies } from '../../scripts/lib/version.mjs';

it.each([
  ['20.18.9', false],
  ['20.19.0', true],
  ['20.20.2', true],
  ['21.7.3', false],
  ['22.12.0', false],
  ['22.13.0', true],
  ['23.5.0', false],
  ['24.0.0', true],
  ['26.10.0', true],
])('Node %s fits the range: %s', (version, fits) => {
  expect(satisfies(version, '^20.19.0 || ^22.13.0 || >=24')).toBe(fits);
});

it('compares by number and not by letter', () => {
  expect(compareVersions('1.9.0', '1.88.0')).toBeLessThan(0);
  expect(compareVersions('1.88', '1.88.0')).toBe(0);
  expect(compareVersions('1.95.0-nightly', '1.88')).toBeGreaterThan(0);
});

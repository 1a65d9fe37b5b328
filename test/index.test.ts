import { expect, test } from 'vitest';

import * as handrail from '../ts/index.js';

test('the root exports these values and no others', () => {
  expect(Object.keys(handrail).sort()).toMatchInlineSnapshot();
});

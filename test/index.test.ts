import { expect, test } from 'vitest';

import * as handrail from '../ts/index.js';

test('the root exports these values and no others', () => {
  expect(Object.keys(handrail).sort()).toMatchInlineSnapshot(`
    [
      "DEFAULT_GRACE_MS",
      "DEFAULT_HEAD_BYTES",
      "DEFAULT_MIN_SECRET_LENGTH",
      "DEFAULT_RESULT_CHARS",
      "DEFAULT_SPILL_BYTES",
      "DEFAULT_TAIL_BYTES",
      "DEFAULT_TERMINAL_FUNCTION_OUTPUT_MAX_CHARS",
      "DEFAULT_TERMINAL_OUTPUT_CAP_BYTES",
      "DEFAULT_TERMINAL_TIMEOUT_SECONDS",
      "DEFAULT_TIMEOUT_MS",
      "HandrailError",
      "MAX_AUDIT_CHARS",
      "MAX_COMMAND_CHARS",
      "MAX_ENVIRONMENT_ENTRIES",
      "MAX_GRACE_MS",
      "MAX_KEPT_BYTES",
      "MAX_LIST_ENTRIES",
      "MAX_MIN_SECRET_LENGTH",
      "MAX_OUTPUT_CHARS",
      "MAX_PATH_CHARS",
      "MAX_PATTERN_CHARS",
      "MAX_REDACTION_ENTRIES",
      "MAX_RESULT_CHARS",
      "MAX_RULE_ARGUMENTS",
      "MAX_RULE_FILES",
      "MAX_RULE_FILE_BYTES",
      "MAX_SPILL_BYTES",
      "MAX_STARTS_PER_TURN",
      "MAX_START_MS_PER_TURN",
      "MAX_STDIN_BYTES",
      "MAX_TIMEOUT_MS",
      "MAX_WORKERS",
      "MIN_RESULT_CHARS",
      "Redactor",
      "Terminal",
      "boundOutput",
      "createToolkit",
      "isHandrailError",
      "loadTerminalPolicyFromEnv",
      "readRuleFile",
      "sanitize",
      "stripAnsi",
      "terminalRun",
      "truncateOutput",
    ]
  `);
});

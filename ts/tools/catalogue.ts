import { changesList } from './changes-list.js';
import { changesUndo } from './changes-undo.js';
import { chatSend } from './chat-send.js';
import { fileEdit } from './file-edit.js';
import { fileGlob } from './file-glob.js';
import { fileGrep } from './file-grep.js';
import { fileList } from './file-list.js';
import { filePatch } from './file-patch.js';
import { fileRead } from './file-read.js';
import { fileStat } from './file-stat.js';
import { fileWrite } from './file-write.js';
import { jobEnd } from './job-end.js';
import { jobList } from './job-list.js';
import { jobRead } from './job-read.js';
import { jobSend } from './job-send.js';
import { jobWait } from './job-wait.js';
import { sessionClose } from './session-close.js';
import { sessionRead } from './session-read.js';
import { sessionScreen } from './session-screen.js';
import { sessionSend } from './session-send.js';
import { sessionStart } from './session-start.js';
import { terminalRun } from './terminal-run.js';
import type { AnyToolSpec } from './tool-spec.js';

/** Every tool of Handrail, in the order in which models see them. */
export const CATALOGUE: readonly AnyToolSpec[] = [
  terminalRun,
  jobWait,
  jobRead,
  jobSend,
  jobEnd,
  jobList,
  sessionStart,
  sessionSend,
  sessionRead,
  sessionScreen,
  sessionClose,
  fileRead,
  fileWrite,
  fileEdit,
  filePatch,
  fileList,
  fileStat,
  fileGlob,
  fileGrep,
  changesList,
  changesUndo,
  chatSend,
];

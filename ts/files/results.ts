import type {
  ChangeHistory,
  EditedFile,
  FileRefusal,
  FoundFiles,
  FoundLines,
  ListedDirectory,
  PatchedFiles,
  ReadFile,
  StatedFile,
  UndoneChanges,
  WrittenFile,
} from './answers.js';

/** A call that was refused. */
export interface RefusedFile<Kind extends string> {
  /** Says which of the results this is. */
  readonly kind: Kind;
  /** The call was refused: nothing was done. */
  readonly ok: false;
  /** The path as it was asked for; secrets masked. */
  readonly path: string;
  /** Why the call was refused. */
  readonly refusal: FileRefusal;
}

/** What was done, or why not. */
export type FileAnswer<Done> =
  | ({
      /** The call was not refused. */
      readonly ok: true;
    } & Done)
  | {
      /** The call was refused: nothing was done. */
      readonly ok: false;
      /** Why the call was refused. */
      readonly refusal: FileRefusal;
    };

/** Name of an operation on layers. */
export type LayerOperation = 'layer_changes' | 'layer_commit' | 'layer_discard' | 'layer_sweep';

/** Result of reading a file. */
export type FileReadData = ReadFile | RefusedFile<'file_read'>;

/** Result of writing a file. */
export type FileWriteData = WrittenFile | RefusedFile<'file_write'>;

/** Result of editing a file. */
export type FileEditData = EditedFile | RefusedFile<'file_edit'>;

/** Result of listing a directory. */
export type FileListData = ListedDirectory | RefusedFile<'file_list'>;

/** Result of finding files by their names. */
export type FileGlobData = FoundFiles | RefusedFile<'file_glob'>;

/** Result of finding lines in files. */
export type FileGrepData = FoundLines | RefusedFile<'file_grep'>;

/** Result of patching files. The `path` of a refusal has the paths that the patch names, as far as it can be read. */
export type FilePatchData = PatchedFiles | RefusedFile<'file_patch'>;

/** Result of asking what a name stands for. */
export type FileStatData = StatedFile | RefusedFile<'file_stat'>;

/** Result of listing the calls that changed files. */
export type FileHistoryData = ChangeHistory | RefusedFile<'file_history'>;

/** Result of taking calls back. */
export type FileUndoData = UndoneChanges | RefusedFile<'file_undo'>;

/** Result of any operation on files. */
export type FileData =
  | FileReadData
  | FileWriteData
  | FileEditData
  | FilePatchData
  | FileListData
  | FileStatData
  | FileGlobData
  | FileGrepData
  | FileHistoryData
  | FileUndoData;

/** Name of an operation on files: the `kind` of its result without `file_`. */
export type FileOperation = FileData['kind'] extends `file_${infer Operation}` ? Operation : never;

/** The results of one operation. */
export type FileDataOf<Operation extends FileOperation> = Extract<FileData, { readonly kind: `file_${Operation}` }>;

const DENIAL_CODES: ReadonlySet<string> = new Set(['outside_root', 'read_only_root', 'blocked_read', 'blocked_write']);

/** Whether a refusal with this code was decided by roots and rules, not by what the file system has. */
export function isFileDenial(code: string): boolean {
  return DENIAL_CODES.has(code);
}

const PATCH_PATH_LINE = /^(?:\*\*\* (?:Add File|Update File|Delete File|Move to):|\+\+\+|rename to) +([^\r\n]+)/gm;

/** The paths that a patch names, for messages only. */
export function pathsOfPatch(patch: string): string {
  return [...patch.matchAll(PATCH_PATH_LINE)].map(([, path = '']) => path).join(', ');
}

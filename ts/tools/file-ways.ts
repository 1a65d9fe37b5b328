/** What models look for in a command or a tool of another name, and how a file tool does it. */
export const FILE_WAYS = {
  move: 'file_patch moves a file: `*** Update File: PATH`, then `*** Move to: PATH`.',
  remove: 'file_patch removes a file that file_read has read: `*** Delete File: PATH`.',
  make: 'file_write makes the folders of the file that it writes.',
  write: 'A file is written with file_write.',
  edit: 'A file is changed with file_edit or file_patch.',
  read: 'A file is read with file_read.',
  list: 'A folder is listed with file_list, and files are found with file_glob.',
  search: 'Files are searched with file_grep.',
} as const;

/** The file tool that does the work of a program, with the sentence that says how. */
export const PROGRAM_WAYS: readonly {
  readonly programs: readonly string[];
  readonly tool: string;
  readonly does: string;
}[] = [
  { programs: ['rm', 'unlink', 'trash'], tool: 'file_patch', does: FILE_WAYS.remove },
  { programs: ['mv'], tool: 'file_patch', does: FILE_WAYS.move },
  { programs: ['mkdir'], tool: 'file_write', does: FILE_WAYS.make },
  { programs: ['touch', 'tee'], tool: 'file_write', does: FILE_WAYS.write },
  {
    programs: ['vi', 'vim', 'nvim', 'nano', 'emacs', 'code', 'ed', 'sed', 'patch'],
    tool: 'file_edit',
    does: FILE_WAYS.edit,
  },
  { programs: ['cat', 'less', 'more', 'head', 'tail', 'bat'], tool: 'file_read', does: FILE_WAYS.read },
  { programs: ['ls', 'tree', 'find', 'fd'], tool: 'file_list', does: FILE_WAYS.list },
  { programs: ['grep', 'rg', 'ag', 'ack'], tool: 'file_grep', does: FILE_WAYS.search },
];

/** Reads settings files of other programs, line by line: only what is looked for has to be understood. */
import path from 'node:path';

import { boundedText } from './bounded-file.js';
import { hostHome } from './host-environment.js';

/** A setting with its value as it stands in the file. */
export type Setting = readonly [name: string, value: string];

/** How a file is written. */
export type SettingsSyntax = 'lines' | 'joined' | 'toml' | 'yaml' | 'words';

/** Longer lines are passed over: somebody else may have written them to keep us busy. */
const MAX_LINE_CHARS = 4_096;

/** A value that goes on in the next line. */
const CONTINUED_LINE = /\n[ \t]+(?=\S)/g;
/** A value in quotes. */
const QUOTED = /^(["'])(.*)\1$/;
/** A setting on a line of its own: npm's, pip's, go's and most of cargo's. */
export const SETTING_LINE = /^([\w.@:-]+)\s*=\s*(.*)$/;
/** The header of a table of TOML. */
const TOML_TABLE = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$/;
/** A key of TOML, dotted or in quotes, and the beginning of its value. */
const TOML_KEY = /^\s*([\w."'@/-]+)\s*=\s*(.*)$/;
/** Texts and comments of TOML. */
const TOML_TEXTS = /"((?:[^"\\]|\\.)*)"|'([^']*)'|#.*/g;
/** A key of YAML with its value. */
const YAML_LINE = /^(\s*)["']?([\w.@/:-]+?)["']?\s*:(?:\s+(.*))?$/;
/** A setting of yarn's first version, or an option of pip in a file of requirements. */
const WORDS_LINE = /^\s*["']?([\w@.:/-]+?)["']?(?:\s+|=)["']?([^\s"']+)/;

/** The settings of a text. A table stands in front of the names in it: `tool.uv.index-url`. */
export function settingsOf(given: string, syntax: SettingsSyntax): readonly Setting[] {
  const whole = syntax === 'joined' ? joinedLines(given) : given;
  const text = whole
    .split('\n')
    .filter((line) => line.length <= MAX_LINE_CHARS)
    .join('\n');
  switch (syntax) {
    case 'lines':
    case 'joined':
      return lineSettings(text);
    case 'toml':
      return tomlSettings(text);
    case 'yaml':
      return yamlSettings(text);
    default:
      return text.split('\n').flatMap((line) => pair(WORDS_LINE.exec(line)));
  }
}

/** The settings of a file that has one on a line, without quotes. */
export function lineSettings(text: string): readonly Setting[] {
  return text.split('\n').flatMap((line): Setting[] => {
    const [, name, value = ''] = SETTING_LINE.exec(line.trim()) ?? [];
    return name === undefined ? [] : [[name, value.trim().replace(QUOTED, '$2')]];
  });
}

/** The same for files in which a value may go on in lines that begin with a blank. */
export function joinedLines(text: string): string {
  return text.replace(CONTINUED_LINE, ' ');
}

/** Settings with the texts of their values, one by one. A value that is no text, or no list of texts, has none. */
function tomlSettings(text: string): readonly Setting[] {
  const settings: Setting[] = [];
  let table = '';
  let name = '';
  for (const line of text.split('\n')) {
    const header = TOML_TABLE.exec(line)?.[1];
    if (header !== undefined && !header.includes(',')) {
      [table, name] = [`${header}.`, ''];
      continue;
    }
    // A line without a key goes on with a list.
    const [, key, value = line] = TOML_KEY.exec(line) ?? [];
    if (key !== undefined) name = table + key;
    for (const [, double, single] of value.matchAll(TOML_TEXTS)) {
      const found = double ?? single;
      if (found !== undefined) settings.push([name, found]);
    }
  }
  return settings;
}

/** Settings of the two outermost levels. */
function yamlSettings(text: string): readonly Setting[] {
  let parent = '';
  return text.split('\n').flatMap((line): Setting[] => {
    const [, indent = '', name, value = ''] = YAML_LINE.exec(line) ?? [];
    if (name === undefined) return [];
    if (indent === '') parent = name;
    return [[indent === '' ? name : `${parent}.${name}`, value.trim().replace(QUOTED, '$2')]];
  });
}

function pair(match: RegExpExecArray | null): Setting[] {
  const [, name, value] = match ?? [];
  return name === undefined || value === undefined ? [] : [[name, value]];
}

/** A file in the host's home. Undefined where there is no home. */
export function atHome(name: string): string | undefined {
  const home = hostHome();
  return home === undefined ? undefined : path.join(home, name);
}

/** The text of a file; empty when this user has none. */
export function fileText(file: string | undefined): string {
  return file === undefined || !path.isAbsolute(file) ? '' : (boundedText(file) ?? '');
}

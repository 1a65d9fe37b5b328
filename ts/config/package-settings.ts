import path from 'node:path';

import { plainList, withoutCredentials } from './addresses.js';
import type { Environment } from './host-environment.js';
import { atHome, fileText, joinedLines, lineSettings, SETTING_LINE } from './setting-files.js';

/** A variable with its value. */
export type Variable = readonly [name: string, value: string];

/** A file that the private home of a command starts with. */
export interface HomeFile {
  /** Beneath the home. */
  readonly path: string;
  readonly content: string;
}

type Clean = (value: string) => string | undefined;

/** The variables that say where packages come from, and the way there: what is handed over of their values. */
const VARIABLES: readonly (readonly [names: RegExp, clean: Clean])[] = [
  [/^(?:https?|all)_proxy$/i, withoutCredentials],
  [/^npm_config_(?:registry|proxy|https?_proxy)$/i, withoutCredentials],
  [/^YARN_(?:REGISTRY|NPM_REGISTRY_SERVER)$/, withoutCredentials],
  [/^PIP_(?:INDEX_URL|EXTRA_INDEX_URL|PROXY)$/, withoutCredentials],
  [/^UV_(?:INDEX_URL|EXTRA_INDEX_URL|DEFAULT_INDEX|INDEX)$/, withoutCredentials],
  [/^CARGO_(?:REGISTRIES_[A-Z0-9_]+_INDEX|HTTP_PROXY)$/, withoutCredentials],
  [/^RUSTUP_DIST_SERVER$/, withoutCredentials],
  [/^GOPROXY$/, withoutCredentials],
  [/^(?:no_proxy|npm_config_noproxy)$/i, plainList],
  [/^(?:PIP_TRUSTED_HOST|GOPRIVATE|GONOPROXY|GONOSUMDB|GOSUMDB|GOVCS|GOTOOLCHAIN|TZ)$/, plainList],
];

/** Settings of pip by their names in its file. */
const PIP_SETTINGS = ['index-url', 'extra-index-url', 'proxy', 'trusted-host'];

/** Settings of npm that are handed over: registries, also of a scope, and the way there. */
const NPM_SETTING = /^(?:(?:@[\w.-]+:)?registry|(?:https?-)?proxy|noproxy)$/;

/** Tables of cargo's settings, and what is handed over of them. */
const CARGO_TABLE = /^\[\s*(?:source|registries|registry|net|http)\b[^\]]*\]$/;
const CARGO_SETTING = /^(?:registry|replace-with|index|default|proxy|protocol|git-fetch-with-cli|offline)$/;

/** Where the next table of a file begins. */
const NEXT_TABLE = /\n(?=\s*\[)/;
const TOML_TEXT = /^"([^"\\]*)"$/;

/**
 * Where npm, pip, uv, cargo and go get packages from on this host, and the time zone: variables of the host, and those
 * that say what the settings files of pip and go in its home say. Without users, passwords and tokens.
 *
 * @param isHarmless Whether a value holds no secret that is known by its form.
 */
export function packageVariables(host: Environment, isHarmless: (value: string) => boolean): readonly Variable[] {
  const given = Object.entries(host).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const variables = new Map<string, string>();
  for (const [name, value] of [...pipSettings(host), ...goSettings(host), ...given]) {
    const clean = VARIABLES.find(([names]) => names.test(name))?.[1];
    const cleaned = clean?.(value);
    if (cleaned !== undefined && cleaned !== '' && isHarmless(cleaned)) variables.set(name, cleaned);
  }
  return [...variables];
}

/** The settings files of npm and cargo in the host's home, with registries and proxies alone, and no credentials. */
export function packageHomeFiles(host: Environment, isHarmless: (value: string) => boolean): readonly HomeFile[] {
  const npm = npmSettings(host).filter(isHarmless);
  const cargo = cargoSettings(host);
  return [
    ...(npm.length === 0 ? [] : [{ path: '.npmrc', content: `${npm.join('\n')}\n` }]),
    ...(cargo === undefined || !isHarmless(cargo) ? [] : [{ path: '.cargo/config.toml', content: cargo }]),
  ];
}

function npmSettings(host: Environment): string[] {
  const file = host['npm_config_userconfig'] ?? host['NPM_CONFIG_USERCONFIG'] ?? atHome('.npmrc');
  return lineSettings(fileText(file)).flatMap(([name, value]) => {
    const clean = name === 'noproxy' ? plainList(value) : withoutCredentials(value);
    // What stands for a variable is most often a token.
    return NPM_SETTING.test(name) && clean !== undefined && !value.includes('$') ? [`${name}=${clean}`] : [];
  });
}

function pipSettings(host: Environment): Variable[] {
  const folder = host['XDG_CONFIG_HOME'] ?? atHome('.config');
  const places = [host['PIP_CONFIG_FILE'], folder && path.join(folder, 'pip/pip.conf'), atHome('.pip/pip.conf')];
  // A value may go on in lines that begin with a blank.
  const text = places.map(fileText).find((found) => found !== '') ?? '';
  return lineSettings(joinedLines(text))
    .filter(([name]) => PIP_SETTINGS.includes(name))
    .map(([name, value]) => [`PIP_${name.toUpperCase().replaceAll('-', '_')}`, value]);
}

function goSettings(host: Environment): readonly Variable[] {
  const folder = host['XDG_CONFIG_HOME'] ?? atHome('.config');
  const file = host['GOENV'] ?? (folder === undefined ? undefined : path.join(folder, 'go/env'));
  return lineSettings(fileText(file));
}

/** The tables of cargo's settings that say where packages come from; undefined when there are none. */
function cargoSettings(host: Environment): string | undefined {
  const folder = host['CARGO_HOME'] ?? atHome('.cargo');
  const tables = fileText(folder && path.join(folder, 'config.toml')).split(NEXT_TABLE);
  const lines = tables.flatMap((table) => {
    const [header = '', ...entries] = table.split('\n').map((line) => line.trim());
    const kept = CARGO_TABLE.test(header) ? entries.flatMap(cargoSetting) : [];
    return kept.length === 0 ? [] : [header, ...kept];
  });
  return lines.length === 0 ? undefined : `${lines.join('\n')}\n`;
}

function cargoSetting(line: string): string[] {
  const [, name = '', value = ''] = SETTING_LINE.exec(line) ?? [];
  if (!CARGO_SETTING.test(name)) return [];
  if (value === 'true' || value === 'false') return [line];
  const address = withoutCredentials(TOML_TEXT.exec(value)?.[1] ?? '');
  return address === undefined || address === '' ? [] : [`${name} = "${address}"`];
}

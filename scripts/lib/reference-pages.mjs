// Divides the generated reference of `handrail`, one page of thousands of lines, into a page per topic with a table of contents.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The pages in their order, each with the folders and files of ts/ whose exports it documents. */
const PAGES = [
  { file: 'toolkit', title: 'The toolkit', sources: ['toolkit', 'tools', 'presets', 'audit'] },
  { file: 'commands', title: 'Commands', sources: ['terminal', 'report', 'config'] },
  { file: 'sessions', title: 'Sessions', sources: ['session'] },
  { file: 'jobs', title: 'Jobs', sources: ['jobs'] },
  { file: 'files', title: 'Files', sources: ['files'] },
  { file: 'redaction', title: 'Redaction and texts', sources: ['redaction'] },
  { file: 'messages', title: 'Messages', sources: ['bus'] },
  { file: 'mcp', title: 'MCP', sources: ['mcp', 'mcp-server'] },
  { file: 'surfaces', title: 'The surfaces of five systems', sources: ['compat'] },
  { file: 'errors', title: 'Errors', sources: ['errors'] },
];

const EXPORT = /^export (?:type )?\{([^}]*)\} from '\.\/([\w-]+)/gm;

const CONSTRUCTOR_LINK = /\[`constructor`\]\([^)]*\)/g;

/** The page of each name that ts/index.ts exports. `index` is its text. */
function pageByName(index) {
  const pages = new Map();
  for (const [, names, source] of index.matchAll(EXPORT)) {
    const page = PAGES.find(({ sources }) => sources.includes(source));
    if (page === undefined) throw new Error(`no page of the reference has what ts/${source} exports`);
    for (const name of names.split(','))
      pages.set(
        name
          .trim()
          .replace(/^type /, '')
          .replace(/^.* as /, ''),
        page,
      );
  }
  return pages;
}

/** The anchors that links can lead to: headings by GitHub's rules, and ids. Callers leave out lines of code. */
export function* anchorsOf(lines) {
  const seen = new Map();
  for (const line of lines) {
    const heading = /^#+ (.+)$/.exec(line)?.[1];
    if (heading !== undefined) {
      const slug = heading
        .replaceAll(/<[^>]*>|\]\([^)]*\)/g, '')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-');
      const count = seen.get(slug) ?? 0;
      seen.set(slug, count + 1);
      yield { line, anchor: count === 0 ? slug : `${slug}-${count}`, heading };
    }
    for (const [, id] of line.matchAll(/<a id="([^"]+)">/g)) yield { line, anchor: id };
  }
}

/** The sections of the text, one per documented name, each with its group such as `Functions`. */
function sectionsOf(text) {
  const sections = [];
  let group = '';
  for (const line of text.split('\n')) {
    if (line.startsWith('## ')) group = line.slice(3);
    else if (line.startsWith('### ')) sections.push({ group, name: nameOf(line), lines: [line] });
    else if (line !== '***') sections.at(-1)?.lines.push(line);
  }
  return sections;
}

const nameOf = (heading) => heading.slice(4).replaceAll('\\', '').replace('()', '').replace(/<.*/, '').trim();

function render({ title }, sections) {
  const groups = [...new Set(sections.map(({ group }) => group))];
  const body = groups.flatMap((group) => [
    `## ${group}`,
    '',
    ...sections
      .filter((section) => section.group === group)
      .flatMap(({ lines }) => lines.join('\n').trim().split('\n').concat('')),
  ]);
  const anchors = [...anchorsOf([`# ${title}`, '## Contents', ...body])];
  const contents = groups.flatMap((group) => {
    const names = sections.filter((section) => section.group === group);
    const links = names.map(
      ({ name, lines }) => `[\`${name}\`](#${anchors.find(({ line }) => line === lines[0])?.anchor})`,
    );
    return [`- ${group}: ${links.join(', ')}`];
  });
  return { head: [`# ${title}`, '', '## Contents', '', ...contents, ''], body, anchors };
}

/**
 * Replaces `handrail.md` in `folder` by its pages.
 *
 * @param {string} folder
 * @param {string} index text of ts/index.ts
 */
export function dividePages(folder, index) {
  // typedoc's links to constructors lead to wrong headings, as it numbers their anchors differently from GitHub.
  const text = readFileSync(join(folder, 'handrail.md'), 'utf8').replaceAll(CONSTRUCTOR_LINK, '`constructor`');
  const pages = pageByName(index);
  const sections = sectionsOf(text);
  const pageOf = (name) => {
    const page = pages.get(name);
    if (page === undefined) throw new Error(`the reference has ${name}, which ts/index.ts does not export`);
    return page;
  };
  const rendered = new Map(
    PAGES.map((page) => [
      page,
      render(
        page,
        sections.filter(({ name }) => pageOf(name) === page),
      ),
    ]),
  );
  const places = mapAnchors(text, sections, rendered, pageOf);
  const place = (anchor) => {
    const found = places.get(anchor);
    if (found === undefined) throw new Error(`a link leads to #${anchor}, which no page has`);
    return found;
  };
  for (const [page, { head, body }] of rendered) {
    const linked = body.map((line) =>
      line.replaceAll(/\]\(#([^)]+)\)/g, (_link, anchor) => {
        const { file, anchor: there } = place(anchor);
        return `](${file === page.file ? '' : `${file}.md`}#${there})`;
      }),
    );
    writeFileSync(join(folder, `${page.file}.md`), `${[...head, ...linked].join('\n').trim()}\n`);
  }
  rmSync(join(folder, 'handrail.md'));
  return (link) => {
    const { file, anchor } = place(link);
    return `${file}.md#${anchor}`;
  };
}

/** For each anchor of the undivided text, its new page and anchor. */
function mapAnchors(text, sections, rendered, pageOf) {
  const places = new Map();
  const before = [...anchorsOf(text.split('\n'))];
  let at = before.findIndex(({ line }) => line === sections[0]?.lines[0]);
  const cursor = new Map([...rendered].map(([page, { anchors }]) => [page, [...anchors]]));
  for (const { name, lines } of sections) {
    const page = pageOf(name);
    const now = cursor.get(page);
    const count = [...anchorsOf(lines)].length;
    // The sections of a page are in the order of the text, and so are their anchors.
    while (now[0]?.line !== lines[0]) now.shift();
    while (before[at]?.line !== lines[0]) at += 1;
    for (const { anchor } of before.slice(at, at + count))
      places.set(anchor, { file: page.file, anchor: now.shift().anchor });
    at += count;
  }
  return places;
}

/** The text of the reference's index. `others` are further entries of the package, as `{ name, file }`. */
export function indexPage(others) {
  return [
    '# API reference',
    '',
    'What `handrail` exports, a page for each part:',
    '',
    ...PAGES.map(({ file, title }) => `- [${title}](${file}.md)`),
    '',
    'Entries of their own:',
    '',
    ...others.map(({ name, file }) => `- [${name}](${file})`),
    '',
  ].join('\n');
}

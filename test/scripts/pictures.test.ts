import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { terminalPicture } from '../../scripts/lib/terminal-picture.mjs';
import { type Browser, describeWithChromium } from '../support/chromium.js';
import { REPOSITORY } from '../support/copy.js';
import { folderPerTest } from '../support/folder.js';

const DOCS = path.join(REPOSITORY, 'docs');
const PICTURES = readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.svg'));

/** Fonts differ in how wide their characters are, but not by as much. */
const MOST_STRETCHED = 1.25;

/** Runs in the page: each text whose characters are not all drawn, or drawn at another width than the font's, and how many texts there are. */
const FAULTS = `(() => {
  const texts = [...document.querySelectorAll('text')];
  const faults = texts.filter((text) => {
    const given = text.getComputedTextLength();
    text.removeAttribute('textLength');
    const natural = text.getComputedTextLength();
    const isWhole = text.getNumberOfChars() === text.textContent.length;
    return !isWhole || Math.max(given / natural, natural / given) > ${MOST_STRETCHED};
  });
  return { texts: texts.length, faults: faults.map((text) => text.textContent) };
})()`;

async function faultsOf(browser: Browser, file: string): Promise<{ texts: number; faults: string[] }> {
  const page = await browser.newPage({ viewport: { width: 900, height: 600 } });
  try {
    await page.goto(pathToFileURL(file).href);
    return (await page.evaluate(FAULTS)) as { texts: number; faults: string[] };
  } finally {
    await page.close();
  }
}

describeWithChromium(
  'pictures in a browser',
  (browser) => {
    const folder = folderPerTest();

    it('has pictures to look at', () => {
      expect(PICTURES).toContain('demo.svg');
    });

    it.each(PICTURES)('docs/%s shows every character, and none stretched', async (name) => {
      const { texts, faults } = await faultsOf(browser(), path.join(DOCS, name));
      expect(texts).toBeGreaterThan(0);
      expect(faults).toEqual([]);
    });

    it('keeps the spaces of a terminal, which a browser leaves out of a text', async () => {
      const drawn = path.join(folder(), 'drawn.svg');
      writeFileSync(drawn, terminalPicture('  two   and\u001b[32m   three, 😀  four\u001b[0m', 'spaces'));
      expect(await faultsOf(browser(), drawn)).toEqual({ texts: 4, faults: [] });
      const broken = path.join(folder(), 'broken.svg');
      const text = '<text x="14" y="27" textLength="168" lengthAdjust="spacingAndGlyphs">          wide      </text>';
      writeFileSync(broken, `<svg xmlns="http://www.w3.org/2000/svg"><g xml:space="preserve">${text}</g></svg>`);
      expect(await faultsOf(browser(), broken)).toEqual({ texts: 1, faults: ['          wide      '] });
    });
  },
  { module: false },
);

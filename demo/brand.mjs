import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../scripts/processes.mjs';
import { openBrowser } from './photographer.mjs';

// Draws the icons and the picture that a shared link shows, from the mark, the fonts and the tokens. `npm run brand` writes
// them to web/public, where they are committed.

const OUT = join(root, 'web', 'public');
const FONT = '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2';

/** @param {string} file */
const web = (file) => readFileSync(join(root, 'web', file), 'utf8');

// The same ring as web/src/app/layout/brand.tsx: used, running now, and the rest.
/** @param {{ rest: string, used: string, running: string }} colors */
const arcs = ({ rest, used, running }) => `
  <circle cx="16" cy="16" r="12" ${rest} />
  <path d="M16 4a12 12 0 0 1 5.07 22.88" ${used} />
  <path d="M21.07 26.88A12 12 0 0 1 5.12 21.07" ${running} />`;

/** @param {string} token */
const stroke = (token) => `stroke="var(--${token})"`;

/** @param {string} attributes */
const mark = (attributes) =>
  `<svg ${attributes} viewBox="0 0 32 32" fill="none" stroke-width="6">${arcs({ rest: stroke('calm'), used: stroke('accent'), running: stroke('live') })}</svg>`;

/** An icon on its own background, for places whose color is unknown. @param {{ part: number, round?: boolean }} look */
const icon = ({ part, round = false }) => `
  <div style="width: 100vw; height: 100vh; display: grid; place-items: center; ${round ? 'border-radius: 22%;' : ''} background: var(--canvas)">
    ${mark(`width="${part * 100}%"`)}
  </div>`;

const TICKS = Array.from(
  { length: 12 },
  (_, hour) => `<path d="M16 8.6v.8" transform="rotate(${hour * 30} 16 16)" stroke="var(--line-strong)" />`,
).join('');

const SOCIAL = `
  <body style="width: 1200px; height: 630px; overflow: hidden; position: relative; background: var(--canvas); color: var(--ink); font-family: Display">
    <svg style="position: absolute; left: 674px; top: 75px" width="480" viewBox="0 0 32 32" fill="none" stroke-width="4">
      ${arcs({ rest: stroke('calm'), used: stroke('accent'), running: stroke('live') })}
      <g stroke-width="0.16" stroke-linecap="round">${TICKS}</g>
    </svg>
    <div style="position: absolute; left: 76px; top: 76px; display: flex; align-items: center; gap: 18px; font-size: 46px; font-weight: 700; letter-spacing: -0.01em">
      ${mark('width="54"')}
      <span>Hour<span style="font-weight: 400; color: var(--accent-text)">Share</span></span>
    </div>
    <p style="position: absolute; left: 76px; top: 258px; margin: 0; font-size: 78px; font-weight: 800; line-height: 1.04; letter-spacing: -0.025em; white-space: nowrap">
      Share the plan.<br />Pay for<br /><span style="color: var(--accent-text)">your hours.</span>
    </p>
  </body>`;

/** The icon of a tab: it can't read the page's tokens, and not every reader knows `oklch`. @param {Record<string, Record<string, string>>} hex */
const favicon = ({
  light,
  dark,
}) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke-width="6">
  <style>
    .used { stroke: ${light?.accent}; } .running { stroke: ${light?.live}; } .rest { stroke: ${light?.['line-strong']}; }
    @media (prefers-color-scheme: dark) {
      .used { stroke: ${dark?.accent}; } .running { stroke: ${dark?.live}; } .rest { stroke: ${dark?.['line-strong']}; }
    }
  </style>${arcs({ rest: 'class="rest"', used: 'class="used"', running: 'class="running"' })}
</svg>
`;

/** A PNG in the envelope that old readers ask for at /favicon.ico. @param {Buffer} png */
function ico(png) {
  const head = Buffer.from([0, 0, 1, 0, 1, 0, 32, 32, 0, 0, 1, 0, 32, 0, 0, 0, 0, 0, 22, 0, 0, 0]);
  head.writeUInt32LE(png.length, 14);
  return Buffer.concat([head, png]);
}

async function draw() {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    const font = readFileSync(createRequire(join(root, 'web', 'package.json')).resolve(FONT)).toString('base64');
    const head = `<!doctype html><style>${web('src/styles/tokens.css')}
      @font-face { font-family: Display; font-weight: 200 800; src: url(data:font/woff2;base64,${font}) }
      body { margin: 0 }</style>`;

    /** @param {string} body @param {number} width @param {number} [height] */
    const png = async (body, width, height = width) => {
      await page.setViewportSize({ width, height });
      await page.setContent(head + body);
      await page.evaluate(() => document.fonts.ready);
      return page.screenshot({ omitBackground: true });
    };
    /** @param {'light' | 'dark'} colorScheme */
    const hex = async (colorScheme) => {
      await page.emulateMedia({ colorScheme });
      await page.setContent(head);
      return page.evaluate(
        (tokens) => {
          const context = new OffscreenCanvas(1, 1).getContext('2d');
          if (!context) throw new Error('This browser does not draw');
          const read = (/** @type {string} */ token) => {
            context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(`--${token}`);
            context.fillRect(0, 0, 1, 1);
            const parts = Array.from(context.getImageData(0, 0, 1, 1).data).slice(0, 3);
            return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
          };
          return Object.fromEntries(tokens.map((token) => [token, read(token)]));
        },
        ['accent', 'live', 'line-strong', 'canvas'],
      );
    };

    const [dark, light] = [await hex('dark'), await hex('light')];
    console.log(`The canvas, for index.html and manifest.webmanifest: ${light.canvas}, in the dark ${dark.canvas}`);
    return {
      'favicon.svg': favicon({ light, dark }),
      'favicon.ico': ico(await png(mark('width="32" style="display: block"'), 32)),
      'apple-touch-icon.png': await png(icon({ part: 0.76 }), 180),
      'icon-192.png': await png(icon({ part: 0.8, round: true }), 192),
      'icon-512.png': await png(icon({ part: 0.8, round: true }), 512),
      // A launcher may cut it to any shape that keeps the middle four fifths.
      'icon-maskable-512.png': await png(icon({ part: 0.68 }), 512),
      'social.png': await png(SOCIAL, 1200, 630),
    };
  } finally {
    await browser.close();
  }
}

for (const [name, content] of Object.entries(await draw())) {
  writeFileSync(join(OUT, name), content);
  console.log(`${(content.length / 1000).toFixed(1).padStart(6)} kB  ${name}`);
}

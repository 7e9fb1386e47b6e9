import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { measure } from './budgets.mjs';

let dist = '';
beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), 'hourshare-budgets-'));
  mkdirSync(join(dist, 'static'));
  write(
    'index.html',
    '<link rel="modulepreload" href="/static/vendor-aaaaaaaa.js"><link rel="modulepreload" href="/static/messages-aaaaaaaa-en-landing.js"><script src="/static/main-aaaaaaaa.js"></script>',
  );
  write('static/vendor-aaaaaaaa.js', 'export const v=1');
  write('static/main-aaaaaaaa.js', 'import{v}from"./vendor-aaaaaaaa.js";import("./landing-page-aaaaaaaa.js")');
  write('static/landing-page-aaaaaaaa.js', 'import"./shared-aaaaaaaa.js";import("./chart-aaaaaaaa.js")');
  write('static/dashboard-page-aaaaaaaa.js', 'export{s}from"./shared-aaaaaaaa.js"');
  write('static/shared-aaaaaaaa.js', 'import{v}from"./vendor-aaaaaaaa.js"');
  write('static/chart-aaaaaaaa.js', 'export const chart=1');
  write('static/messages-aaaaaaaa-pt-BR-base.js', 'export default{b:"Erro"}');
  for (const group of ['landing', 'app']) {
    write(`static/messages-aaaaaaaa-en-${group}.js`, 'export default{}');
    write(`static/messages-aaaaaaaa-pt-BR-${group}.js`, 'export default{a:"Horas"}');
  }
  write('static/main-aaaaaaaa.css', 'p{color:red}');
});
afterEach(() => rmSync(dist, { recursive: true }));

/** @param {string} name @param {string} content */
const write = (name, content) => writeFileSync(join(dist, name), content);
/** Returns text that doesn't get smaller by compression. @param {number} bytes */
const incompressible = (bytes) => `//${randomBytes(bytes).toString('base64')}`;
const check = () => spawnSync('node', [join(import.meta.dirname, 'budgets.mjs'), dist], { encoding: 'utf8' });

describe('the budget check', () => {
  it("counts a page's initial files once each, with its longest messages, and no lazy ones", () => {
    const namesOf = (/** @type {number} */ index) => {
      const names = measure(dist)
        .at(index)
        ?.files.map(({ name }) => name);
      return names?.toSorted();
    };
    const always = ['static/main-aaaaaaaa.js', 'static/shared-aaaaaaaa.js', 'static/vendor-aaaaaaaa.js'];
    const catalogs = (/** @type {string} */ group) =>
      [group, 'base'].map((name) => `static/messages-aaaaaaaa-pt-BR-${name}.js`);
    const sorted = (/** @type {string[]} */ ...names) => [...names, ...always].toSorted();
    expect(namesOf(0)).toEqual(sorted('static/landing-page-aaaaaaaa.js', ...catalogs('landing')));
    expect(namesOf(1)).toEqual(sorted('static/dashboard-page-aaaaaaaa.js', ...catalogs('app')));
    expect(namesOf(2)).toEqual(['static/main-aaaaaaaa.css']);
    expect(check()).toMatchObject({ status: 0 });
  });

  it.each([
    ['static/landing-page-aaaaaaaa.js', 'JavaScript of the landing page', 115_000],
    ['static/dashboard-page-aaaaaaaa.js', 'JavaScript before the dashboard is usable', 170_000],
    ['static/messages-aaaaaaaa-pt-BR-landing.js', 'JavaScript of the landing page', 115_000],
    ['static/main-aaaaaaaa.css', 'CSS', 20_000],
  ])('fails when %s exceeds its budget', (file, name, bytes) => {
    write(file, incompressible(bytes));
    const { status, stdout, stderr } = check();
    expect(status).toBe(1);
    expect(stdout).toMatch(new RegExp(`^${name}: 1?\\d+\\.\\d kB of`, 'm'));
    expect(stderr).toContain(file);
  });

  it('fails when a page has no chunk', () => {
    rmSync(join(dist, 'static/landing-page-aaaaaaaa.js'));
    expect(check()).toMatchObject({ status: 1, stderr: expect.stringContaining('is the page still lazy?') });
  });
});

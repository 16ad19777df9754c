import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCOPES } from '@lyceum/contracts';

const root = join(__dirname, '../..');
const filesBelow = (folder: string): string[] =>
  execFileSync('git', ['ls-files', folder], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'));
const linesOf = (files: readonly string[]): number =>
  files.flatMap((file) => readFileSync(join(root, file), 'utf8').split('\n')).filter((line) => line.trim() !== '')
    .length;

const kit = filesBelow('libs/collections/src');

it('keeps the collections kit at 2,090 lines that are not blank', () => {
  expect(kit.length).toBeGreaterThan(10);
  expect(linesOf(kit)).toBeLessThanOrEqual(2_090);
});

it('keeps the names of resources out of the code of the kit', () => {
  const resources = new Set(Object.keys(SCOPES).flatMap((scope) => (scope.includes(':') ? [scope.split(':')[0]] : [])));
  expect(resources.size).toBeGreaterThan(15);
  const code = kit.map((file) => readFileSync(join(root, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''));
  const named = [...resources].filter((name) => code.some((text) => new RegExp(`['"\`]${name}\\b`).test(text)));
  expect(named).toEqual([]);
});

it('keeps courses at 700 lines', () => {
  expect(linesOf(filesBelow('apps/admin-api/src/courses'))).toBeLessThanOrEqual(700);
});

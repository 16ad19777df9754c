import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NODE, WORKSPACE } from './workspace.js';

const COMPILE = join(WORKSPACE, 'deploy/local/setup/compile.mjs');
const PACKAGES = ['libs/errors', 'deploy/local'];

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lyceum-compile-'));
  cpSync(join(WORKSPACE, '.swcrc'), join(root, '.swcrc'));
  for (const folder of PACKAGES) cpSync(join(WORKSPACE, folder, 'src'), join(root, folder, 'src'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

function filesBelow(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(files.toSorted().map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

function buildScript(folder: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(WORKSPACE, folder, 'package.json'), 'utf8')) as {
    scripts: { readonly build: string };
  };
  return scripts.build.split(' ').slice(1);
}

it('compiles packages together as their build scripts compile them', () => {
  const folders = PACKAGES.map((folder) => join(root, folder));
  execFileSync(NODE, [COMPILE, ...folders]);
  for (const [index, cwd] of folders.entries()) {
    renameSync(join(cwd, 'dist'), join(cwd, 'together'));
    execFileSync(join(WORKSPACE, 'node_modules/.bin/swc'), buildScript(PACKAGES[index]!), { cwd });
    const together = filesBelow(join(cwd, 'together'));
    expect(Object.keys(together).length).toBeGreaterThan(5);
    expect(together).toEqual(filesBelow(join(cwd, 'dist')));
  }
});

it('names the file that does not compile', () => {
  const folder = join(root, 'libs/errors');
  writeFileSync(join(folder, 'src/broken.ts'), 'export const = 1;');
  expect(() => execFileSync(NODE, [COMPILE, folder], { stdio: 'pipe' })).toThrow(/broken\.ts/);
});

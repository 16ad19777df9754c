import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { releaseVersion } from './release-version.js';

const directory = mkdtempSync(join(tmpdir(), 'lyceum-version-'));
afterAll(() => rmSync(directory, { recursive: true }));

it('returns the version of the repository', () => {
  // The suites of a package run in its folder.
  const repository = dirname(dirname(process.cwd()));
  expect(releaseVersion()).toBe(releaseVersion(repository));
  expect(releaseVersion()).toMatch(/^\d+\.\d+\.\d+(?:-\w+)?$/);
});

it('returns the version of the workspace of an image, not of the package in it', () => {
  const dist = join(directory, 'apps/mcp-gateway/dist');
  mkdirSync(dist, { recursive: true });
  writeFileSync(
    join(directory, 'package.json'),
    JSON.stringify({ version: '1.4.0', workspaces: ['apps/mcp-gateway'] }),
  );
  writeFileSync(join(dist, '../package.json'), JSON.stringify({ version: '0.1.0' }));
  expect(releaseVersion(dist)).toBe('1.4.0');
});

it('refuses a folder outside of a workspace', () => {
  expect(() => releaseVersion(tmpdir())).toThrow('outside of its workspace');
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockDirectory } from './instance-lock.js';

const directory = mkdtempSync(join(tmpdir(), 'lyceum-lock-'));
afterAll(() => rmSync(directory, { recursive: true }));

describe('a data directory', () => {
  it('is held by one, who tells the others who it is', async () => {
    await expect(lockDirectory(join(directory, 'one'), 'the first')).resolves.toBeUndefined();
    await expect(lockDirectory(join(directory, 'one'), 'the second')).resolves.toBe('the first');
    await expect(lockDirectory(join(directory, '.', 'one'), 'the third')).resolves.toBe('the first');
  });

  it('is no other one', async () => {
    await expect(lockDirectory(join(directory, 'two'), 'somebody')).resolves.toBeUndefined();
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockDirectory } from './instance-lock.js';

const directory = mkdtempSync(join(tmpdir(), 'lyceum-lock-'));
afterAll(() => rmSync(directory, { recursive: true }));

describe('a data directory', () => {
  it('accepts one holder, whose text the others receive', async () => {
    await expect(lockDirectory(join(directory, 'one'), 'the first')).resolves.toBeUndefined();
    await expect(lockDirectory(join(directory, 'one'), 'the second')).resolves.toBe('the first');
    await expect(lockDirectory(join(directory, '.', 'one'), 'the third')).resolves.toBe('the first');
  });

  it('does not block another directory', async () => {
    await expect(lockDirectory(join(directory, 'two'), 'somebody')).resolves.toBeUndefined();
  });
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileStoreLimit } from './file-store-limit.js';

describe('the limit of the file store', () => {
  const directory = mkdtempSync(join(tmpdir(), 'lyceum-store-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  const limitWith = (free: number): number => fileStoreLimit(directory, { bavail: free / 1_000, bsize: 1_000 });

  it('takes 8 GiB of a large volume', () => {
    expect(limitWith(11_000_000_000)).toBe(8_589_934_592);
  });

  it('takes four fifths of what is free on a small volume', () => {
    expect(limitWith(10_000_000)).toBe(8_000_000);
  });

  it('keeps what is stored already, also on a full volume', () => {
    mkdirSync(join(directory, 'streams'));
    writeFileSync(join(directory, 'streams/1.blk'), Buffer.alloc(500_000));
    const folders = fileStoreLimit(directory, { bavail: 0, bsize: 1_000 }) - 500_000;
    expect(folders).toBeGreaterThanOrEqual(0);
    expect(folders).toBeLessThan(100_000);
  });
});

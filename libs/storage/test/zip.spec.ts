import { randomBytes } from 'node:crypto';
import { requireSafeZip, ZIP_LIMITS } from '../src/contents/zip.js';
import { zipFile } from '@lyceum/testing';
import type { ZipEntry } from '@lyceum/testing';

const check = (bytes: Buffer) => requireSafeZip(bytes.length, (start) => Promise.resolve(bytes.subarray(start)));
const refusal = (entries: readonly ZipEntry[]) =>
  check(zipFile(entries)).then(
    () => 'none',
    ({ reason, detail }: { reason: string; detail: string }) => {
      expect(reason).toBe('unsafe_zip');
      return detail;
    },
  );
const page = { name: 'index.html', content: Buffer.from('<p>Hello</p>') };
const MIB = 1024 * 1024;

it('returns the names of a harmless file', async () => {
  const names = await check(zipFile([page, { name: 'Images/a.png' }, { name: '图.txt' }]));
  expect([...names]).toEqual(['index.html', 'images/a.png', '图.txt']);
});

it.each<[string, ZipEntry]>([
  ['invalid relative path', { name: '../etc/passwd' }],
  ['absolute path', { name: '/etc/passwd' }],
  ['absolute path', { name: 'C:/a' }],
  ['invalid characters', { name: 'a\\b' }],
  ['control characters', { name: 'a\nb' }],
  ['symbolic link', { name: 'a', claims: { mode: 0o120777 } }],
  ['encrypted', { name: 'a', claims: { flags: 1 } }],
  ['occurs twice', { name: 'INDEX.html' }],
])('refuses by %s', async (why, entry) => expect(await refusal([page, entry])).toContain(why));

it('refuses a bomb of zeros, and accepts a small entry of any ratio', async () => {
  const zeros = (bytes: number) => [{ name: 'a', content: Buffer.alloc(bytes) }];
  expect(await refusal(zeros(MIB))).toBe('none');
  expect(await refusal(zeros(MIB + 1))).toContain('200 times');
});

it('refuses entries that unpack to more than the limit together', async () => {
  const packed = ZIP_LIMITS.total / ZIP_LIMITS.ratio / 2;
  const half = { bytes: ZIP_LIMITS.total / 2, packed: Math.ceil(packed) };
  // The claims are enough: nothing is unpacked. The file is as long as its packed bytes.
  const padding = {
    name: 'padding',
    content: randomBytes(3 * MIB),
    claims: { bytes: 0, packed: 0 },
  };
  const entries = [padding, { name: 'a', claims: half }, { name: 'b', claims: half }];
  expect(await refusal(entries)).toBe('none');
  expect(await refusal([...entries, { name: 'c' }])).toContain('unpacks to more than');
});

it('refuses entries that overlap', async () => {
  expect(await refusal([{ name: 'a', claims: { packed: 1_000, bytes: 1_000 } }])).toContain('overlap');
});

it('refuses more than 5,000 entries', async () => {
  const many = (length: number) => Array.from({ length }, (_entry, index) => ({ name: `a${index}` }));
  expect(await refusal(many(5_000))).toBe('none');
  expect(await refusal(many(5_001))).toContain('5000 entries');
});

it('refuses a directory that does not fit into its limit, and what is no zip file', async () => {
  const long = Array.from({ length: 4_000 }, (_entry, index) => ({ name: `${'x'.repeat(600)}${index}` }));
  expect(await refusal(long)).toContain('directory is too long');
  await expect(check(Buffer.from('no zip file at all, but long enough for its end'))).rejects.toThrow('unsafe_zip');
});

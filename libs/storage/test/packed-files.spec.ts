import { randomBytes } from 'node:crypto';
import { packedFiles } from '../src/contents/packed-files.js';
import { zipFile } from '@lyceum/testing';

it('lists the files of a zip file without its folders, and unpacks each', async () => {
  const image = randomBytes(1_000);
  const zip = zipFile([
    { name: 'index.html', content: Buffer.from('<p>Hello</p>') },
    { name: 'images/', content: Buffer.alloc(0) },
    { name: 'images/a.png', content: image },
  ]);
  const files = await packedFiles(zip);
  expect(files.map(({ name, bytes }) => [name, bytes])).toEqual([
    ['index.html', 12],
    ['images/a.png', 1_000],
  ]);
  expect(await files[1]?.read()).toEqual(image);
  expect((await files[0]?.read())?.toString()).toBe('<p>Hello</p>');
});

it('unpacks no more and no less than the directory says', async () => {
  const content = Buffer.alloc(2_000, 'a');
  for (const bytes of [1_999, 2_001]) {
    const [file] = await packedFiles(zipFile([{ name: 'a', content, claims: { bytes } }]));
    await expect(file?.read()).rejects.toMatchObject({ reason: 'unsafe_zip', detail: expect.stringContaining('a: ') });
  }
});

it('refuses an unsafe zip file before it unpacks anything', async () => {
  await expect(packedFiles(zipFile([{ name: '../a' }]))).rejects.toMatchObject({ reason: 'unsafe_zip' });
  await expect(packedFiles(Buffer.from('no zip file at all, but long enough'))).rejects.toMatchObject({
    reason: 'unsafe_zip',
  });
});

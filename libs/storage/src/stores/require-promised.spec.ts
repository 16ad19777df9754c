import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { requirePromised } from './require-promised.js';

const content = Buffer.from('abcdefgh');
const promised = { bytes: content.length, sha256: hash('sha256', content) };

function stored(...pieces: readonly string[]): { readonly pieces: readonly Buffer[]; readonly stream: Readable } {
  const buffers = pieces.map((piece) => {
    const own = Buffer.allocUnsafeSlow(piece.length);
    own.write(piece);
    return own;
  });
  return { pieces: buffers, stream: Readable.from(buffers) };
}

it('accepts the promised bytes, and frees their memory', async () => {
  const { pieces, stream } = stored('abc', 'defgh');
  await requirePromised(stream, promised);
  expect(pieces.map(({ length }) => length)).toEqual([0, 0]);
});

it('keeps a piece that is a part of a larger buffer', async () => {
  const part = Buffer.from(Uint8Array.from([0, ...content, 0]).buffer, 1, content.length);
  await requirePromised(Readable.from([part]), promised);
  expect(part).toEqual(content);
});

it.each([
  ['too many bytes', 'abcdefghi', 'size_mismatch'],
  ['too few bytes', 'abcdefg', 'size_mismatch'],
  ['other bytes', 'abcdefgx', 'sha256_mismatch'],
])('refuses %s, and ends the stream', async (_what, bytes, reason) => {
  const { stream } = stored(bytes);
  await expect(requirePromised(stream, promised)).rejects.toMatchObject({ name: 'WrongBytes', reason });
  expect(stream.destroyed).toBe(true);
});

import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { ArrivingBody } from './arriving-body.js';

async function allOf(arriving: ArrivingBody): Promise<string> {
  const pieces: Buffer[] = [];
  while (await arriving.hasMore()) pieces.push(arriving.take());
  return Buffer.concat(pieces).toString();
}

/** A stream that counts what it was asked for. */
function counted(pieces: readonly string[], highWaterMark: number) {
  const left = [...pieces];
  const sent = { count: 0 };
  const body = new Readable({
    highWaterMark,
    read() {
      const piece = left.shift();
      sent.count += piece === undefined ? 0 : 1;
      this.push(piece ?? null);
    },
  });
  return { body, sent };
}

it('takes all bytes of a stream, also of an empty one', async () => {
  expect(await allOf(new ArrivingBody(Readable.from([Buffer.from('ab'), Buffer.from('c')])))).toBe('abc');
  expect(await allOf(new ArrivingBody(Readable.from([])))).toBe('');
});

it('takes a piece as it arrived, and lets the sender go no further than the stream', async () => {
  const { body, sent } = counted(['aaaa', 'bbbb', 'cccc', 'dddd'], 4);
  const arriving = new ArrivingBody(body);
  expect(await arriving.hasMore()).toBe(true);
  await setImmediate();
  expect([sent.count, body.readableLength]).toEqual([2, 4]);
  expect(arriving.take().toString()).toBe('aaaa');
  expect(await arriving.hasMore()).toBe(true);
  expect(arriving.take().toString()).toBe('bbbb');
  expect(await allOf(arriving)).toBe('ccccdddd');
});

it('copies no piece, also of several that wait', async () => {
  const [one, two] = [Buffer.from('aaaa'), Buffer.from('bbbb')];
  const body = new Readable({ highWaterMark: 100, read: () => undefined });
  const arriving = new ArrivingBody(body);
  for (const piece of [one, two, null]) body.push(piece);
  const taken: Buffer[] = [];
  while (await arriving.hasMore()) taken.push(arriving.take());
  expect(taken.map((piece, at) => piece === [one, two][at])).toEqual([true, true]);
});

it('waits for bytes that arrive later', async () => {
  const body = new Readable({ read: () => undefined });
  const arrived = allOf(new ArrivingBody(body));
  await setImmediate();
  body.push('late');
  await setImmediate();
  body.push(null);
  expect(await arrived).toBe('late');
});

it.each([
  ['an error', new Error('gone'), 'gone'],
  ['no error', undefined, 'ended early'],
])('fails when the stream ends early with %s', async (_what, error, message) => {
  const body = new Readable({ read: () => undefined });
  const arriving = new ArrivingBody(body);
  body.push('half');
  expect(await arriving.hasMore()).toBe(true);
  arriving.take();
  const more = arriving.hasMore();
  body.destroy(error);
  await expect(more).rejects.toThrow(message);
});

it('fails for a stream that was destroyed before', async () => {
  const body = new Readable({ read: () => undefined });
  const arriving = new ArrivingBody(body);
  body.destroy(new Error('gone'));
  await setImmediate();
  await expect(arriving.hasMore()).rejects.toThrow('gone');
});

it('ends a stream whose bytes nothing will take', () => {
  const body = new Readable({ read: () => undefined });
  new ArrivingBody(body).cancel();
  expect(body.destroyed).toBe(true);
});

import { collectPieces, joinPieces } from './curriculum-pieces.policy.js';
import type { Pieces } from './curriculum-pieces.policy.js';

type Event = Parameters<typeof collectPieces>[2][number];

const section = (section_id: string, ...lectures: string[]) =>
  ({ section_id, lectures: lectures.map((lecture_id) => ({ lecture_id })) }) as never;
const event = (version: number, index: number, count: number, sections: never[], epoch = 1) =>
  ({ epoch, aggregate_version: version, data: { piece: { index, count }, sections } }) as unknown as Event;
const STORED = { epoch: 1, version: 3 };
const ids = (pieces: Pieces | null) =>
  pieces &&
  joinPieces(pieces)?.map(({ section_id, lectures }) => [section_id, ...lectures.map(({ lecture_id }) => lecture_id)]);

it('joins the pieces of a version in their order, and a section that two of them have', () => {
  const events = [
    event(4, 2, 3, [section('c', '5')]),
    event(4, 0, 3, [section('a', '1'), section('b', '2')]),
    event(4, 1, 3, [section('b', '3'), section('c', '4')]),
  ];
  const whole = [
    ['a', '1'],
    ['b', '2', '3'],
    ['c', '4', '5'],
  ];
  expect(ids(collectPieces(STORED, null, events))).toEqual(whole);
  const some = collectPieces(STORED, null, events.slice(0, 2));
  expect(ids(some)).toBeUndefined();
  expect(ids(collectPieces(STORED, some, events.slice(2)))).toEqual(whole);
});

it('drops the pieces of an older version, and begins with those of a newer one', () => {
  const waiting = collectPieces(STORED, null, [event(5, 0, 2, [section('a', '1')])]);
  expect(collectPieces(STORED, waiting, [event(4, 1, 2, [section('x', '9')])])).toEqual(waiting);
  expect(collectPieces(STORED, waiting, [event(6, 1, 2, [section('b', '2')])])).toMatchObject({
    version: 6,
    sections: { 1: [{ section_id: 'b' }] },
  });
  expect(collectPieces(STORED, waiting, [event(6, 1, 2, [])])?.sections).not.toHaveProperty('0');
  expect(collectPieces(STORED, waiting, [event(1, 0, 1, [section('b', '2')], 2)])).toMatchObject({ epoch: 2 });
});

it('begins again when a republication divides the version into another number of pieces', () => {
  const waiting = collectPieces(STORED, null, [event(4, 0, 3, [section('a', '1')])]);
  const again = collectPieces(STORED, waiting, [event(4, 1, 2, [section('b', '2')])]);
  expect(ids(again)).toBeUndefined();
  expect(ids(collectPieces(STORED, again, [event(4, 0, 2, [section('a', '1', '3')])]))).toEqual([
    ['a', '1', '3'],
    ['b', '2'],
  ]);
});

it('ignores the stored version, and an event without a piece', () => {
  expect(collectPieces(STORED, null, [event(3, 0, 2, [section('a', '1')])])).toBeNull();
  const change = { epoch: 1, aggregate_version: 4, data: { piece: null, sections: [section('a', '1')] } };
  expect(collectPieces(STORED, null, [change as unknown as Event])).toBeNull();
});

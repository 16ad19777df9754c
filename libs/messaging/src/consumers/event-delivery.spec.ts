import { Logger } from '@nestjs/common';
import { SYSTEM_ACTOR, courseEvents } from '@lyceum/contracts';
import type { JsMsg } from '@nats-io/jetstream';
import type { DeadLetter, DeadLetters } from './dead-letters.js';
import type { EventApplier, TracedEvent } from './event-applier.js';
import { EventDelivery } from './event-delivery.js';

beforeAll(() => Logger.overrideLogger(false));

const SUBJECT = 'school.course.updated.v1';
const id = (n: number): string => `018f3b1e-0000-7000-8000-${String(n).padStart(12, '0')}`;

const body = (n: number): string =>
  JSON.stringify({
    id: id(n),
    type: SUBJECT,
    aggregate_id: id(n),
    aggregate_version: 1,
    site_id: id(0),
    occurred_at: '2026-11-20T10:00:00.000Z',
    epoch: 1,
    actor: SYSTEM_ACTOR,
    data: {
      course_id: id(n),
      site_id: id(0),
      slug: 'a-course',
      name: 'A course',
      subtitle: null,
      image_url: null,
      state: 'published',
      published_at: '2026-11-20T10:00:00.000Z',
    },
  });

interface Delivered {
  readonly n: number;
  readonly deliveryCount: number;
  readonly text?: string;
}

/** Messages that record the calls to the server, and parts that record their arguments. */
function scene(apply: (ns: readonly number[]) => Promise<boolean>, { stores = true } = {}) {
  const said: string[] = [];
  const letters: DeadLetter[] = [];
  const counted: string[] = [];
  const lags: number[] = [];
  const tries: number[][] = [];
  const applyAll = async <T extends TracedEvent>(_consumer: string, _reader: unknown, batch: readonly T[]) => {
    const ns = batch.map(({ event }) => Number(event.aggregate_id.slice(-12)));
    tries.push(ns);
    return new Set((await apply(ns)) ? batch : []);
  };
  const applier = { applyAll } as Partial<EventApplier> as EventApplier;
  const deadLetters = {
    put: async (letter: DeadLetter) => {
      if (!stores) throw new Error('no room');
      letters.push(letter);
      await Promise.resolve();
    },
  } as Partial<DeadLetters> as DeadLetters;
  const delivery = new EventDelivery('member-api-courses', {
    stream: 'SCHOOL',
    reader: { name: 'courses', events: [courseEvents], handle: () => Promise.resolve() },
    applier,
    deadLetters,
    counters: {
      unread: () => undefined,
      processed: (_consumer, result) => void counted.push(result),
      redelivered: () => void counted.push('redelivered'),
      lag: (_consumer, seconds) => void lags.push(seconds),
    },
    delivery: { retryDelaysMs: [10, 20] },
  });
  const deliverAll = (list: readonly Delivered[], stopping = new AbortController().signal): Promise<void> => {
    const named = (n: number, word: string): number => said.push(list.length === 1 ? word : `${n} ${word}`);
    const messages = list.map(({ n, deliveryCount, text = body(n) }) => {
      const message: Partial<JsMsg> = {
        subject: SUBJECT,
        seq: n,
        time: new Date(Date.now() - 90_000),
        data: new Uint8Array(),
        redelivered: deliveryCount > 1,
        info: { deliveryCount } as JsMsg['info'],
        string: () => text,
        ack: () => void named(n, 'ack'),
        nak: (delay?: number) => void named(n, `nak ${delay ?? ''}`.trim()),
        term: () => void named(n, 'term'),
      };
      return message as JsMsg;
    });
    return delivery.process(messages, stopping);
  };
  const deliver = (deliveryCount: number, stopping?: AbortSignal): Promise<void> =>
    deliverAll([{ n: 7, deliveryCount }], stopping);
  return { deliver, deliverAll, said, letters, counted, lags, tries };
}

const fails = (error: Error) => () => Promise.reject(error);

test('acknowledges an applied event, and one that was applied before', async () => {
  const results = [true, false];
  const { deliver, said, counted, lags } = scene(() => Promise.resolve(results.shift() === true));
  await deliver(1);
  await deliver(2);
  expect(said).toEqual(['ack', 'ack']);
  // Only of the applied event.
  expect(lags).toEqual([expect.any(Number)]);
  expect(Math.floor(lags[0] ?? 0)).toBe(90);
  expect(counted).toEqual(['applied', 'redelivered', 'repeated']);
});

test('increases the delay after each failure and stores a dead letter after the last one', async () => {
  const { deliver, said, letters } = scene(fails(new Error('no')));
  for (const count of [1, 2, 3]) await deliver(count);
  expect(said).toEqual(['nak 10', 'nak 20', 'term']);
  expect(letters).toMatchObject([{ reader: 'courses', key: 'SCHOOL:7', deliveries: 3 }]);
});

test('does not retry an unreadable event', async () => {
  const { deliverAll, said, letters, tries } = scene(() => Promise.resolve(true));
  await deliverAll([{ n: 7, deliveryCount: 1, text: 'no JSON' }]);
  expect(said).toEqual(['term']);
  expect(letters).toHaveLength(1);
  expect(tries).toEqual([]);
});

test('keeps an event that cannot be stored as a dead letter', async () => {
  const { deliver, said, counted } = scene(fails(new Error('no')), { stores: false });
  await deliver(3);
  expect(said).toEqual(['nak 5000']);
  expect(counted).toEqual(['redelivered', 'unstored']);
});

test('waits during an outage, keeps the event and counts no delivery against it', async () => {
  let away = 2;
  const { deliver, said, counted } = scene(() => {
    away -= 1;
    return away >= 0
      ? Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }))
      : Promise.resolve(true);
  });
  await deliver(3);
  expect(said).toEqual(['ack']);
  expect(counted).toEqual(['redelivered', 'applied']);
});

test('returns the event when the service stops during an outage', async () => {
  const stop = new AbortController();
  stop.abort();
  const { deliver, said } = scene(fails(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })));
  await deliver(1, stop.signal);
  expect(said).toEqual(['nak']);
});

test('stores an event that never completes as a dead letter, without another attempt', async () => {
  const { deliver, said, letters, tries } = scene(() => Promise.resolve(true));
  await deliver(30);
  expect(tries).toHaveLength(1);
  await deliver(31);
  expect(tries).toHaveLength(1);
  expect(said).toEqual(['ack', 'term']);
  expect(String(letters[0]?.error)).toContain('31 times and never finished');
});

test('stores only the first of the events that were delivered too often, and applies the others alone', async () => {
  const { deliverAll, said, tries } = scene(() => Promise.resolve(true));
  await deliverAll([1, 2, 3].map((n) => ({ n, deliveryCount: 31 })));
  expect(said).toEqual(['1 term', '2 ack', '3 ack']);
  expect(tries).toEqual([[2], [3]]);
});

test('applies events of up to three deliveries together, and those of more deliveries alone', async () => {
  const { deliverAll, tries } = scene(() => Promise.resolve(true));
  await deliverAll([1, 3, 4, 1, 1].map((deliveryCount, at) => ({ n: at + 1, deliveryCount })));
  expect(tries).toEqual([[1, 2], [3], [4, 5]]);
});

test('finds the failing event of a batch by halving it, and acknowledges only applied events', async () => {
  const { deliverAll, said, tries, counted } = scene((ns) =>
    ns.includes(3) ? Promise.reject(new Error('no')) : Promise.resolve(true),
  );
  await deliverAll([1, 2, 3, 4, 5, 6].map((n) => ({ n, deliveryCount: 1 })));
  expect(tries).toEqual([[1, 2, 3, 4, 5, 6], [1, 2, 3], [1, 2], [3], [4, 5, 6]]);
  expect(said).toEqual(['1 ack', '2 ack', '3 nak 10', '4 ack', '5 ack', '6 ack']);
  expect(counted.filter((result) => result === 'applied')).toHaveLength(5);
});

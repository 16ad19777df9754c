import { Logger } from '@nestjs/common';
import type { JsMsg } from '@nats-io/jetstream';
import type { DeadLetter, DeadLetters } from './dead-letters.js';
import type { EventApplier } from './event-applier.js';
import { EventDelivery } from './event-delivery.js';
import { UnreadableEvent } from './event-reader.js';

beforeAll(() => Logger.overrideLogger(false));

/** A message that notes what was said to the server, and parts that note what they were given. */
function scene(apply: () => Promise<boolean>, { stores = true } = {}) {
  const said: string[] = [];
  const letters: DeadLetter[] = [];
  const counted: string[] = [];
  const lags: number[] = [];
  let tries = 0;
  const applier = { apply: async () => ((tries += 1), apply()) } as Partial<EventApplier> as EventApplier;
  const deadLetters = {
    put: async (letter: DeadLetter) => {
      if (!stores) throw new Error('no room');
      letters.push(letter);
      await Promise.resolve();
    },
  } as Partial<DeadLetters> as DeadLetters;
  const delivery = new EventDelivery('member-api-courses', {
    stream: 'SCHOOL',
    reader: { name: 'courses', events: [], handle: () => Promise.resolve() },
    applier,
    deadLetters,
    counters: {
      processed: (_consumer, result) => void counted.push(result),
      redelivered: () => void counted.push('redelivered'),
      lag: (_consumer, seconds) => void lags.push(seconds),
    },
    delivery: { retryDelaysMs: [10, 20], ackWaitMs: 1_000 },
  });
  const deliver = async (deliveryCount: number, stopping = new AbortController().signal): Promise<void> => {
    const message = {
      subject: 'school.course.updated.v1',
      seq: 7,
      time: new Date(Date.now() - 90_000),
      data: new Uint8Array(),
      redelivered: deliveryCount > 1,
      info: { deliveryCount } as JsMsg['info'],
      string: () => '{}',
      ack: () => void said.push('ack'),
      nak: (delay?: number) => void said.push(`nak ${delay ?? ''}`.trim()),
      term: () => void said.push('term'),
      working: () => void said.push('working'),
    } as Partial<JsMsg> as JsMsg;
    await delivery.process(message, stopping);
  };
  return { deliver, said, letters, counted, lags, tries: () => tries };
}

const fails = (error: Error) => () => Promise.reject(error);

test('an applied event, and one applied before, is acknowledged', async () => {
  const results = [true, false];
  const { deliver, said, counted, lags } = scene(() => Promise.resolve(results.shift() === true));
  await deliver(1);
  await deliver(2);
  expect(said).toEqual(['ack', 'ack']);
  // Of the applied one alone.
  expect(lags).toEqual([expect.any(Number)]);
  expect(Math.floor(lags[0] ?? 0)).toBe(90);
  expect(counted).toEqual(['applied', 'redelivered', 'repeated']);
});

test('a failure waits longer each time, and the last one ends in the dead letters', async () => {
  const { deliver, said, letters } = scene(fails(new Error('no')));
  for (const count of [1, 2, 3]) await deliver(count);
  expect(said).toEqual(['nak 10', 'nak 20', 'term']);
  expect(letters).toMatchObject([{ reader: 'courses', key: 'SCHOOL:7', deliveries: 3 }]);
});

test('what cannot be read is not tried again', async () => {
  const { deliver, said, letters } = scene(fails(new UnreadableEvent('no JSON')));
  await deliver(1);
  expect(said).toEqual(['term']);
  expect(letters).toHaveLength(1);
});

test('an event is not given up when the dead letters cannot take it', async () => {
  const { deliver, said, counted } = scene(fails(new Error('no')), { stores: false });
  await deliver(3);
  expect(said).toEqual(['nak 5000']);
  expect(counted).not.toContain('dead');
});

test('an outage is waited out: the event is kept, and no delivery counted against it', async () => {
  let away = 2;
  const { deliver, said, counted } = scene(() => {
    away -= 1;
    return away >= 0
      ? Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }))
      : Promise.resolve(true);
  });
  await deliver(3);
  expect(said).toEqual(['working', 'working', 'ack']);
  expect(counted).toEqual(['redelivered', 'applied']);
});

test('a service that stops in an outage hands the event back', async () => {
  const stop = new AbortController();
  stop.abort();
  const { deliver, said } = scene(fails(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })));
  await deliver(1, stop.signal);
  expect(said).toEqual(['nak']);
});

test('an event that never comes to an end is put aside without another try', async () => {
  const { deliver, said, letters, tries } = scene(() => Promise.resolve(true));
  await deliver(30);
  expect(tries()).toBe(1);
  await deliver(31);
  expect(tries()).toBe(1);
  expect(said).toEqual(['ack', 'term']);
  expect(String(letters[0]?.error)).toContain('31 times and never finished');
});

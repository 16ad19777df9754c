import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Principal } from '@lyceum/contracts';
import { Cursors } from '@lyceum/rest';
import { openDatabase } from '../../test/open-database.js';
import type { OpenDatabase } from '../../test/open-database.js';
import { ChangeRepository } from './change.repository.js';
import { ChangeService } from './change.service.js';
import type { ChangePage } from './change.service.js';
import type { RecordedEvent } from './public-event-mappings.js';

const WRITERS = 50;
const TRANSACTIONS = 4;

let database: OpenDatabase;
let changes: ChangeRepository;
let service: ChangeService;
beforeAll(async () => {
  // A connection for each writer, and some for the reader.
  database = await openDatabase({ poolSize: WRITERS + 5 });
  changes = new ChangeRepository(database.sql);
  service = new ChangeService(changes, new Cursors([randomBytes(32)]));
});
afterAll(() => database.close());

const site_id = randomUUID();
const owner: Partial<Principal> = { site_id, member_id: randomUUID(), scopes: ['courses:read'], roles: ['owner'] };

const read = (cursor: string | undefined, limit: number): Promise<ChangePage> =>
  service.list(owner as Principal, { limit, ...(cursor !== undefined && { cursor }) });

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

let made = 0;
/** Ids of events grow with their creation, as those of the outbox do. */
const event = (): RecordedEvent => ({
  id: `00000000-0000-7000-8000-${String((made += 1)).padStart(12, '0')}`,
  site_id,
  type: 'course.updated',
  object_id: randomUUID(),
  course_id: null,
  occurred_at: new Date(),
  data: { state: 'draft' },
});

const ROLLBACK = new Error('rolled back');

/** Writes transactions of some events, with pauses before and after the recording. Returns the committed ids. */
async function write(writer: number): Promise<string[]> {
  const committed: string[] = [];
  for (let turn = 0; turn < TRANSACTIONS; turn += 1) {
    const events = Array.from({ length: randomInt(1, 4) }, event);
    try {
      await database.dataSource.transaction(async (tx) => {
        await tx.query('select 1');
        await sleep(randomInt(0, 100));
        await changes.record(tx, events);
        await sleep(randomInt(0, 5));
        if ((writer + turn) % 5 === 0) throw ROLLBACK;
      });
      committed.push(...idsOf(events));
    } catch (error) {
      if (error !== ROLLBACK) throw error;
    }
  }
  return committed;
}

it('shows each change once to a reader who stops at any page while 50 writers commit out of order', async () => {
  const writing = { ended: false };
  const writers = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer))).finally(() => {
    writing.ended = true;
  });
  const seen: string[] = [];
  /** Each page at which the reader may have stopped, with the number of changes that it had seen. */
  const stops: { readonly cursor: string; readonly count: number }[] = [];
  let seenMeanwhile = 0;
  for (let cursor: string | undefined; ;) {
    const { ended } = writing;
    const page = await read(cursor, randomInt(1, 6));
    seen.push(...idsOf(page.rows));
    if (!ended) seenMeanwhile = seen.length;
    if (page.rows.length > 0) stops.push({ cursor: page.next, count: seen.length });
    if (ended && !page.more) break;
    cursor = page.next;
  }
  const committed = (await writers).flat();
  expect(committed.length).toBeGreaterThan(WRITERS);
  expect([...seen].sort()).toEqual([...committed].sort());
  // The premises: the reader read between commits, which had another order than the ids.
  expect(seenMeanwhile).toBeGreaterThan(WRITERS);
  expect(seen).not.toEqual([...seen].sort());
  expect(stops.length).toBeGreaterThan(WRITERS);
  for (const { cursor, count } of stops) {
    const rest: string[] = [];
    for (let at = cursor; ;) {
      const page = await read(at, 100);
      rest.push(...idsOf(page.rows));
      if (!page.more) break;
      at = page.next;
    }
    expect(rest).toEqual(seen.slice(count));
  }
});

import { randomBytes, randomUUID } from 'node:crypto';
import type { Principal } from '@lyceum/contracts';
import { Cursors } from '@lyceum/rest';
import { openDatabase } from '../../test/open-database.js';
import type { OpenDatabase } from '../../test/open-database.js';
import { ChangeRepository } from './change.repository.js';
import { ChangeService } from './change.service.js';

const site_id = randomUUID();
const owner: Principal = {
  person_id: randomUUID(),
  member_id: randomUUID(),
  site_id,
  client_id: 'an-app',
  audience: 'operator',
  scopes: ['courses:read'],
  roles: ['owner'],
  grant_id: 'grant',
  token_fingerprint: '0123456789abcdef',
  expires_at: 0,
};

let database: OpenDatabase;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.close());

it('ends cursors with a restore of the database, and follows all pages with those of after it', async () => {
  const changes = new ChangeRepository(database.sql);
  const service = new ChangeService(changes, new Cursors([randomBytes(32)]));
  const read = (cursor?: string) => service.list(owner, { limit: 1, ...(cursor === undefined ? {} : { cursor }) });
  const event = () => ({
    id: randomUUID(),
    site_id,
    type: 'course.updated' as const,
    object_id: randomUUID(),
    course_id: null,
    occurred_at: new Date(),
    data: { state: 'draft' },
  });
  await database.dataSource.transaction((tx) => changes.record(tx, [event(), event(), event()]));
  const { next: cursor } = await read();
  await database.dataSource.query('update event_epoch set epoch = epoch + 1');

  await expect(read(cursor)).rejects.toMatchObject({
    code: 'invalid_cursor',
    hint: 'Read the collections as a whole, then start without a cursor',
  });
  const first = await read();
  const second = await read(first.next);
  const third = await read(second.next);
  expect([first, second, third].map(({ rows, more }) => [rows.length, more])).toEqual([
    [1, true],
    [1, true],
    [1, false],
  ]);
});

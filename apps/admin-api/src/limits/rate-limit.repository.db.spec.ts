import { randomUUID } from 'node:crypto';
import { openDatabase } from '../../test/open-database.js';
import type { OpenDatabase } from '../../test/open-database.js';
import { QUOTAS } from './rate-limit.policy.js';
import { RateLimitRepository } from './rate-limit.repository.js';
import type { Subject } from './rate-limit.repository.js';

let database: OpenDatabase;
let limits: RateLimitRepository;

beforeAll(async () => {
  database = await openDatabase();
  limits = new RateLimitRepository(database.sql);
});
afterAll(() => database.close());

const subject = (): Subject => ({ site_id: randomUUID(), client_id: 'c', kind: 'write' });

it('leases an eighth of what is left, one at a time in the end, and then none', async () => {
  const one = subject();
  const leases = [await limits.lease(one, 1)];
  while (leases.at(-1)?.granted !== 0) leases.push(await limits.lease(one, 1));
  expect(leases.slice(0, 3)).toEqual([
    { granted: 25, left: 175 },
    { granted: 21, left: 154 },
    { granted: 19, left: 135 },
  ]);
  expect(leases.slice(-2)).toEqual([
    { granted: 1, left: 0 },
    { granted: 0, left: 0 },
  ]);
  expect(leases.reduce((sum, { granted }) => sum + granted, 0)).toBe(QUOTAS.write);
});

it('grants the quota once to many replicas at one time', async () => {
  const one = subject();
  const leases = await Promise.all(Array.from({ length: 80 }, () => limits.lease(one, 1)));
  expect(leases.reduce((sum, { granted }) => sum + granted, 0)).toBe(QUOTAS.write);
});

it('begins anew with the minute; a clock that is behind takes from the minute of the others', async () => {
  const one = subject();
  await limits.lease(one, 1);
  expect(await limits.lease(one, 2)).toEqual({ granted: 25, left: 175 });
  expect(await limits.lease(one, 1)).toEqual({ granted: 21, left: 154 });
  expect(await limits.lease(one, 2)).toEqual({ granted: 19, left: 135 });
});

it('keeps sites, clients and kinds apart', async () => {
  const one = subject();
  await limits.lease(one, 1);
  for (const other of [{ ...one, client_id: 'd' }, subject()]) {
    expect(await limits.lease(other, 1)).toEqual({ granted: 25, left: 175 });
  }
  expect(await limits.lease({ ...one, kind: 'read' }, 1)).toEqual({ granted: 75, left: 525 });
});

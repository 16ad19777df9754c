import { Sql } from '@lyceum/platform';
import { startIdentity } from '../../test/identity.js';
import type { TestIdentity } from '../../test/identity.js';
import { LimitsRepository } from './limits.repository.js';
import { LimitsService } from './limits.service.js';

// A day: the window does not end while the test runs, but at midnight.
const LIMIT = { name: 'a-limit', hits: 3, windowSeconds: 86_400 };

describe('A limit', () => {
  let identity: TestIdentity;

  beforeAll(async () => {
    identity = await startIdentity();
  });
  afterAll(() => identity.stop());

  it('is one for all replicas, and apart for each source', async () => {
    const replica = () => new LimitsService(new LimitsRepository(identity.context.get(Sql)));
    const [one, other] = [replica(), replica()];
    await one.take(LIMIT, 'source');
    await other.take(LIMIT, 'source');
    await one.take(LIMIT, 'source');
    await expect(other.take(LIMIT, 'source')).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(one.take(LIMIT, 'source')).rejects.toMatchObject({ retryAfter: expect.any(Number) });
    await expect(other.take(LIMIT, 'another')).resolves.toBeUndefined();
  });
});

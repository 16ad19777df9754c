import { randomToken } from '#src/tokens/digest.js';
import { GrantsService } from '#src/grants/grants.service.js';
import { startIdentity, stageOne } from '../../test/identity.js';
import type { TestIdentity } from '../../test/identity.js';
import { isGrantGone } from './adapters/model-adapter.js';
import { CredentialsRepository } from './credentials.repository.js';

const now = (): number => Math.floor(Date.now() / 1000);

describe('Codes and tokens under races', () => {
  let identity: TestIdentity;
  let credentials: CredentialsRepository;
  let grants: GrantsService;
  let stage: Awaited<ReturnType<typeof stageOne>>;

  beforeAll(async () => {
    identity = await startIdentity([CredentialsRepository]);
    credentials = identity.context.get(CredentialsRepository);
    grants = identity.context.get(GrantsService);
    stage = await stageOne(identity);
  });
  afterAll(() => identity.stop());

  async function grant(): Promise<string> {
    const grant_id = randomToken();
    const { site_id, person_id } = stage;
    await grants.save({ grant_id, site_id, person_id, client_id: 'client', payload: {}, expires_at: now() + 600 });
    return grant_id;
  }
  const credential = async (grantId: string) => ({
    value: randomToken(),
    payload: { grantId, aud: stage.base_url, scope: 'account:read', iat: now(), exp: now() + 60, rotations: 0 },
  });

  it('give one winner of twelve that use the same code', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { value, payload } = await credential(await grant());
      await credentials.insertCode(stage.site_id, value, payload);
      const won = await Promise.all(Array.from({ length: 12 }, () => credentials.consumeCode(stage.site_id, value)));
      expect(won.filter(Boolean)).toHaveLength(1);
    }
  });

  it('give one winner of twelve that use the same refresh token, with the window turned off', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { value, payload } = await credential(await grant());
      await credentials.insertRefreshToken(stage.site_id, value, payload);
      const outcomes = await Promise.all(
        Array.from({ length: 12 }, () => credentials.consumeRefreshToken(stage.site_id, value, 0)),
      );
      expect(outcomes.filter((outcome) => outcome === 'consumed')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(11);
    }
  });

  it('give one winner and eleven repeats within the window', async () => {
    const { value, payload } = await credential(await grant());
    await credentials.insertRefreshToken(stage.site_id, value, payload);
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, () => credentials.consumeRefreshToken(stage.site_id, value, 60)),
    );
    expect(outcomes.filter((outcome) => outcome === 'consumed')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'repeated')).toHaveLength(11);
  });

  it('leave no token behind when a grant is revoked while tokens are issued', async () => {
    for (let round = 0; round < 20; round += 1) {
      const grantId = await grant();
      const tokens = await Promise.all(Array.from({ length: 6 }, () => credential(grantId)));
      const issued = tokens.map(({ value, payload }, index) =>
        index % 2 === 0
          ? credentials.insertAccessToken(stage.site_id, value, payload)
          : credentials.insertRefreshToken(stage.site_id, value, payload),
      );
      const [results] = await Promise.all([
        Promise.allSettled(issued),
        grants.revoke(stage.site_id, grantId, 'revoked_by_client'),
      ]);
      for (const result of results) {
        if (result.status === 'rejected') expect(isGrantGone(result.reason)).toBe(true);
      }
      const [left] = await identity.sql<{ n: number }>(
        `SELECT (SELECT count(*) FROM access_tokens WHERE grant_id = $1)::int
              + (SELECT count(*) FROM refresh_tokens WHERE grant_id = $1)::int AS n`,
        [grantId],
      );
      expect(left?.n).toBe(0);
    }
  });

  it('are revoked once, however many ask, with one broadcast', async () => {
    const grantId = await grant();
    await Promise.all(Array.from({ length: 5 }, () => grants.revoke(stage.site_id, grantId, 'revoked_by_client')));
    const said = await identity.sql(`SELECT 1 FROM outbox WHERE payload::jsonb->>'subject' = $1`, [grantId]);
    expect(said).toHaveLength(1);
  });

  it('are nothing at another site', async () => {
    const other = await stageOne(identity, 'two');
    const grantId = await grant();
    const { value, payload } = await credential(grantId);
    await credentials.insertCode(stage.site_id, value, payload);
    await credentials.insertAccessToken(stage.site_id, value, payload);
    await credentials.insertRefreshToken(stage.site_id, value, payload);
    expect(await credentials.code(other.site_id, value)).toBeUndefined();
    expect(await credentials.consumeCode(other.site_id, value)).toBe(false);
    expect(await credentials.accessToken(other.site_id, value)).toBeUndefined();
    expect(await credentials.refreshToken(other.site_id, value, 60)).toBeUndefined();
    expect(await credentials.consumeRefreshToken(other.site_id, value, 60)).toBe('refused');
    await grants.revoke(other.site_id, grantId, 'revoked_by_client');
    expect(await credentials.accessToken(stage.site_id, value)).toMatchObject({ grant_id: grantId });
  });
});

import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

describe('A code that is used twice (RFC 6749 §4.1.2)', () => {
  let auth: TestAuth;
  let flow: Flow;

  beforeAll(async () => {
    auth = await startAuth();
    flow = new Flow(auth);
  });
  afterAll(() => auth.stop());

  it('refuses a used code and revokes its tokens', async () => {
    const code = (await flow.callback()).get('code');
    const { body: tokens } = await flow.exchange(code);
    const again = await flow.exchange(code);
    expect([again.status, again.body['error']]).toEqual([400, 'invalid_grant']);
    expect(await flow.isActive(String(tokens['access_token']))).toBe(false);
    expect((await flow.refresh(String(tokens['refresh_token']))).body['error']).toBe('invalid_grant');
  });

  it('revokes all tokens when two exchanges of a code race', async () => {
    for (let round = 0; round < 5; round += 1) {
      const code = (await flow.callback()).get('code');
      const responses = await Promise.all(Array.from({ length: 6 }, () => flow.exchange(code)));
      expect(responses.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
      expect(responses.every(({ status }) => status === 200 || status === 400)).toBe(true);
      for (const { body } of responses.filter(({ status }) => status === 200)) {
        expect(await flow.isActive(String(body['access_token']))).toBe(false);
        expect((await flow.refresh(String(body['refresh_token']))).status).toBe(400);
      }
    }
  });

  it('keeps the tokens of another code of the same person', async () => {
    const other = await flow.tokens();
    const code = (await flow.callback()).get('code');
    await flow.exchange(code);
    await flow.exchange(code);
    expect(await flow.isActive(other.access_token)).toBe(true);
  });

  it('ignores a replay without the verifier', async () => {
    const code = (await flow.callback()).get('code');
    const { body: tokens } = await flow.exchange(code);
    await flow.exchange(code, { code_verifier: null });
    await flow.exchange(code, { client_id: 'first-operator' });
    expect(await flow.isActive(String(tokens['access_token']))).toBe(true);
  });
});

import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

/** Random in all bits but those of version and variant (RFC 9562 §5.4). */
const RANDOM = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

let auth: TestAuth;

beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.stop());

it('gives people ids that do not say when they were made', async () => {
  const { id_token = '' } = await new Flow(auth).tokens();
  const claims = JSON.parse(Buffer.from(id_token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string };
  expect(claims.sub).toMatch(RANDOM);
  const ids = auth.site.people.map(({ person_id }) => person_id);
  expect(ids).toContain(claims.sub);
  for (const id of ids) expect(id).toMatch(RANDOM);
  expect(new Set(ids.map((id) => id.slice(0, 4))).size).toBeGreaterThan(1);
});

import { SchoolTools } from './fixture.tools.js';
import { ERAS, Gateway, call, listed } from './gateway.js';
import type { ReceivedResponse, Era, Sent } from './gateway.js';

let gateway: Gateway;

beforeAll(async () => {
  gateway = await Gateway.start();
});

afterAll(() => gateway?.close());

beforeEach(() => {
  SchoolTools.calls = [];
});

const OPERATOR: Sent = { token: 'operator-reading' };

const read = (era: Era, args: object, sent: Sent): Promise<ReceivedResponse> =>
  call(gateway.url, era, 'read_operation', args, sent);

describe.each(ERAS)('a tool whose scopes depend on its arguments, in the %s era', (era) => {
  it('requires the scopes of the operation', async () => {
    const { body } = await read(era, { operation_id: 'list_courses' }, OPERATOR);
    expect(body.result?.structuredContent).toEqual({ operation_id: 'list_courses' });
  });

  it.each([
    ['an anonymous caller', {}, 'list_orders', 401, 'scope="orders:read"'],
    ['an anonymous caller', {}, 'drop_tables', 401, 'scope="openid"'],
    ['a member', { token: 'member' }, 'list_orders', 403, 'scope="orders:read"'],
    ['an operator without them', OPERATOR, 'list_orders', 403, 'scope="orders:read"'],
  ])('refuses to %s: %p %s → %d', async (_who, sent, operation_id, status, scope) => {
    const reply = await read(era, { operation_id }, sent);
    expect(reply.status).toBe(status);
    expect(reply.headers.get('www-authenticate')).toContain(scope);
    expect(SchoolTools.calls).toEqual([]);
  });

  it('requires no scope of a member that it could not get', async () => {
    const reply = await read(era, { operation_id: 'drop_tables' }, { token: 'member' });
    expect(reply.status).toBe(403);
    expect(reply.headers.get('www-authenticate')).not.toContain('scope=');
  });

  it.each([{ operation_id: 'drop_tables' }, { operation_id: 'constructor' }, { operation_id: 7 }, {}])(
    'does not run for %j, and says how to repair that',
    async (args) => {
      const { body } = await read(era, args, OPERATOR);
      expect(body.result?.isError).toBe(true);
      expect(JSON.parse(body.result?.content?.[0]?.text ?? '')).toMatchObject({
        error: { code: 'validation_failed', fields: [{ field: '/operation_id' }], hint: 'Search for it.' },
      });
      expect(SchoolTools.calls).toEqual([]);
    },
  );
});

it('lists a tool for callers who may use any of its operations', async () => {
  expect((await listed(gateway.url, OPERATOR)).tools).toContain('read_operation');
  expect((await listed(gateway.url, { token: 'member' })).tools).not.toContain('read_operation');
});

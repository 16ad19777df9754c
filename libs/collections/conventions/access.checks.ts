import { OPERATOR_SCOPES } from '@lyceum/contracts';
import { assert } from './assertions.js';
import type { Check } from './check.js';
import type { Request } from './convention-api.js';
import { without } from './subject.js';
import type { Call, Operation, Subject } from './subject.js';

export const UNKNOWN = '019ab3c0-0000-7000-8000-000000000000';

/** The scope that the path names, unless the table of exceptions says otherwise. */
export function scopeOf({ cases }: Subject, { name, path, write }: Operation): string {
  return cases.scopes?.[name] ?? `${path.split('/')[3] ?? ''}:${write ? 'write' : 'read'}`;
}

export function accessChecks(subject: Subject): Check[] {
  const { api, cases, operations } = subject;
  const [here, elsewhere] = api.sites;
  const each = (rule: string, run: (operation: Operation) => Promise<void>, of = operations): Check[] =>
    of.map((operation) => ({ name: `${rule}: ${operation.name}`, run: () => run(operation) }));
  const objects = operations.filter(({ one, path }) => one && path.includes('{'));

  /** The response to an object that does not exist, without what differs between two requests. */
  const missing = async (operation: Operation, id: string, request: object): Promise<object> => {
    const parent = await subject.parentAt('site' in request ? elsewhere : here);
    const path = subject.pathOf(operation, { parent, id });
    const { body } = await subject.keptCall(operation);
    const headers: Record<string, string> = operation.kind === 'order' ? { 'if-match': '*' } : {};
    const response = await api.send(operation.method, path, {
      ...(body === undefined ? {} : { body }),
      headers,
      ...request,
    });
    assert.deepEqual([response.status, response.body['code']], [404, 'not_found'], `${path}: ${response.text}`);
    return without(response.body, 'request_id', 'instance');
  };

  return [
    ...each('shows the limit of what it refuses', async (operation) => {
      const call = await subject.keptCall(operation);
      const refusals: readonly [number, Call, Request][] = [
        [401, call, { caller: null }],
        [403, call, { caller: { scopes: [] } }],
        [404, { ...call, path: `${call.path}/no/such/path` }, {}],
        [405, { ...call, method: 'OPTIONS' }, {}],
      ];
      for (const [status, refused, more] of refusals) {
        const { headers, ...response } = await subject.send(refused, more);
        assert.equal(response.status, status, response.text);
        assert.match(headers['ratelimit-policy'] ?? '', /^"(read|write)(-source)?";q=\d+;w=60$/, `${status}`);
        assert.match(headers['ratelimit'] ?? '', /^"(read|write)(-source)?";r=\d+;t=\d+$/, `${status}`);
      }
    }),
    ...each('refuses a request without a token', async (operation) => {
      const response = await subject.send(await subject.keptCall(operation), { caller: null });
      assert.deepEqual([response.status, response.body['code']], [401, 'invalid_token']);
      const metadata = `resource_metadata="${here.base_url}/.well-known/oauth-protected-resource"`;
      assert(response.headers['www-authenticate']?.includes(metadata), response.headers['www-authenticate']);
    }),
    ...each('refuses a token of another site', async (operation) => {
      const response = await subject.send(await subject.keptCall(operation), { token: api.token({}, elsewhere) });
      assert.equal(response.status, 401);
    }),
    ...each("refuses a member's token", async (operation) => {
      const caller = { audience: 'member', scopes: ['account:read', 'account:write'] } as const;
      const response = await subject.send(await subject.keptCall(operation), {
        caller: { ...caller, scopes: [...caller.scopes] },
      });
      assert.equal(response.status, 403);
    }),
    ...each('needs the scope that the contract names', async (operation) => {
      const scope = scopeOf(subject, operation);
      const call = await subject.call(operation);
      const others = OPERATOR_SCOPES.filter((name) => name !== scope);
      const lacking = await subject.send(call, { caller: { scopes: others } });
      assert.deepEqual([lacking.status, lacking.body['code']], [403, 'insufficient_scope']);
      assert.match(lacking.headers['www-authenticate'] ?? '', new RegExp(`scope="${scope}"`));
      const enough = await subject.send(call, { caller: { scopes: [scope] } });
      assert(enough.status < 300, `${enough.status} with ${scope}: ${enough.text}`);
    }),
    ...each(
      "answers 404 for another site's object, as for an unknown one",
      async (operation) => {
        const before = await subject.make();
        const foreign = await missing(operation, before.id, { site: elsewhere });
        assert.deepEqual(foreign, await missing(operation, UNKNOWN, { site: elsewhere }));
        assert.deepEqual((await subject.read(before.path, before.parent)).object, before.object);
      },
      objects,
    ),
    ...each(
      'answers 404 for a malformed id, as for an unknown one',
      async (operation) => {
        const unknown = await missing(operation, UNKNOWN, {});
        for (const id of ['1', 'x'.repeat(40), '%27%20or%201=1', '%00']) {
          const { status, code, title } = (await missing(operation, id, {})) as Record<string, unknown>;
          assert.deepEqual({ status, code, title }, pick(unknown, 'status', 'code', 'title'));
        }
      },
      objects,
    ),
    ...each(
      'answers 404 below another parent',
      async (operation) => {
        const { id, parent } = await subject.make();
        const other = await subject.makeParent(here);
        const { body } = await subject.keptCall(operation);
        const path = subject.pathOf(operation, { parent: other, id });
        const response = await api.send(operation.method, path, body === undefined ? {} : { body });
        assert.deepEqual([response.status, response.body['code']], [404, 'not_found'], parent);
      },
      subject.below ? objects : [],
    ),
    ...each(
      'hides objects that the fence hides',
      async (operation) => {
        const { id } = await subject.make();
        assert.deepEqual(
          await missing(operation, id, { caller: cases.fenced }),
          await missing(operation, UNKNOWN, { caller: cases.fenced }),
        );
      },
      cases.fenced === undefined ? [] : objects,
    ),
    ...each(
      'lists no objects that the fence or the site hides',
      async (operation) => {
        const { id, parent } = await subject.make();
        const path = `${subject.pathOf(operation, { parent, id })}?include_total=true`;
        if (cases.fenced !== undefined) {
          const { status, body } = await api.send('GET', path, { caller: cases.fenced });
          // The fence hides the parent, too.
          if (cases.parent !== undefined) return assert.deepEqual([status, body['code']], [404, 'not_found']);
          assert.deepEqual([body['data'], (body['page'] as { total_count: number }).total_count], [[], 0]);
        }
        const { body } = await api.send('GET', path, { site: elsewhere });
        assert(!JSON.stringify(body['data']).includes(id));
      },
      // The list below a parent is of one site alone.
      operations.filter(({ kind }) => kind === 'list' && (cases.parent === undefined || cases.fenced !== undefined)),
    ),
  ];
}

function pick(object: object, ...members: readonly string[]): object {
  return Object.fromEntries(members.map((member) => [member, Reflect.get(object, member)]));
}

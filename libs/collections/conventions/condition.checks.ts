import { assert } from './assertions.js';
import type { Check } from './check.js';
import { unique } from './unique.js';
import type { Made, Operation, Subject } from './subject.js';

/** Entity tags, caching, and headers that every response has. */
export function conditionChecks(subject: Subject): Check[] {
  const { api, cases, operations } = subject;
  const each = (rule: string, of: readonly Operation[], run: (operation: Operation) => Promise<void>): Check[] =>
    of.map((operation) => ({ name: `${rule}: ${operation.name}`, run: () => run(operation) }));
  const reads = operations.filter(({ kind }) => kind === 'get' || kind === 'list');
  const upserts = operations.filter(({ kind }) => kind === 'upsert');
  const get = subject.find('get');
  const patch = subject.find('patch');
  const changed = async (made: Made): Promise<void> => {
    const response = await api.send('PATCH', made.path, { body: await subject.bodyOf('patch') });
    assert.equal(response.status, 200, response.text);
  };

  return [
    ...each('answers 304 while the entity tag holds', reads, async (operation) => {
      const { path } = await subject.call(operation);
      const first = await api.send('GET', path);
      const caching = cases.personal === true ? 'private, no-store' : 'private, no-cache';
      assert.deepEqual([first.status, first.headers['cache-control']], [200, caching]);
      for (const known of [first.headers['etag'] ?? '', `"x", W/${first.headers['etag'] ?? ''}`, '*']) {
        const again = await api.send('GET', path, { headers: { 'if-none-match': known } });
        assert.deepEqual([again.status, again.text, again.headers['etag']], [304, '', first.headers['etag']]);
      }
      assert.equal((await api.send('GET', path, { headers: { 'if-none-match': '"x"' } })).status, 200);
    }),
    ...each('returns a part of the object with fields', get === undefined ? [] : [get], async (operation) => {
      const { path } = await subject.call(operation);
      const members = Object.keys((await api.send('GET', path)).body).slice(0, 2);
      const { body } = await api.send('GET', `${path}?fields=${members.join(',')}`);
      assert.deepEqual(Object.keys(body), members);
      for (const query of ['fields=site_id', 'fields=', `fields=${members[0]},`]) {
        assert.equal((await api.send('GET', `${path}?${query}`)).body['code'], 'invalid_request', query);
      }
    }),
    ...each(
      'returns the entity tag that the object has',
      get === undefined ? [] : operations.filter(({ kind, write }) => write && kind !== 'bulk' && kind !== 'delete'),
      async (operation) => {
        assert(get !== undefined);
        const call = await subject.call(operation);
        const response = await subject.send(call);
        const path = subject.pathOf(get, {
          parent: await subject.parentAt(api.sites[0]),
          id: subject.idOf(response.body, call.path),
        });
        const read = await api.send('GET', path);
        assert.equal(response.headers['etag'], read.headers['etag']);
        assert.deepEqual(response.body, read.body);
        assert.equal((await api.send('GET', path)).headers['etag'], read.headers['etag']);
      },
    ),
    ...each(
      'changes the entity tag with the object',
      patch === undefined || get === undefined ? [] : [patch],
      async () => {
        const made = await subject.make();
        await changed(made);
        const after = await subject.read(made.path, made.parent);
        assert.notEqual(after.etag, made.etag);
        assert.notEqual(after.object['updated_at'], made.object['updated_at']);
        const stale = await api.send('GET', made.path, { headers: { 'if-none-match': made.etag } });
        assert.equal(stale.status, 200);
      },
    ),
    ...each('refuses a stale entity tag with 412', subject.changes, async (operation) => {
      const { method, path, body } = await subject.call(operation);
      const object = get === undefined ? path : path.split('/').slice(0, get.path.split('/').length).join('/');
      const request = body === undefined ? {} : { body };
      if (patch !== undefined && get !== undefined) {
        const other = await subject.make();
        await changed(other);
        const refused = await api.send(method, path.replace(object, other.path), {
          ...request,
          headers: { 'if-match': other.etag },
        });
        assert.deepEqual(
          [refused.status, refused.body['code']],
          [412, 'precondition_failed'],
          'its tag before a patch',
        );
      }
      const etag = await subject.etagOf(object);
      const stale = ['"0"', `W/${etag}`, etag.replaceAll('"', '')];
      const before = await api.snapshot();
      for (const tag of stale) {
        const refused = await api.send(method, path, { ...request, headers: { 'if-match': tag } });
        assert.deepEqual([refused.status, refused.body['code']], [412, 'precondition_failed'], tag);
      }
      assert.deepEqual(await api.snapshot(), before);
      const accepted = await api.send(method, path, { ...request, headers: { 'if-match': `"0", ${etag}` } });
      assert(accepted.status < 300, accepted.text);
    }),
    ...each('refuses the entity tag of the object in If-None-Match with 412', subject.changes, async (operation) => {
      const { method, path, body } = await subject.call(operation);
      const object = get === undefined ? path : path.split('/').slice(0, get.path.split('/').length).join('/');
      const request = body === undefined ? {} : { body };
      const etag = await subject.etagOf(object);
      const before = await api.snapshot();
      for (const tag of ['*', etag, `"0", W/${etag}`]) {
        const refused = await api.send(method, path, { ...request, headers: { 'if-none-match': tag } });
        assert.deepEqual([refused.status, refused.body['code']], [412, 'precondition_failed'], tag);
      }
      assert.deepEqual(await api.snapshot(), before);
      const accepted = await api.send(method, path, { ...request, headers: { 'if-none-match': '"0"' } });
      assert(accepted.status < 300, accepted.text);
    }),
    ...each('creates only with If-None-Match', upserts, async (operation) => {
      const { path, body } = await subject.call(operation);
      const put = (tag: string, sent: unknown) =>
        api.send('PUT', path, { body: sent, headers: { 'if-none-match': tag } });
      const created = await put('*', body);
      assert.equal(created.status, 201, created.text);
      const etag = created.headers['etag'] ?? '';
      const other = await subject.bodyOf('upsert');
      const before = await api.snapshot();
      for (const tag of ['*', etag, `"0", W/${etag}`]) {
        const refused = await put(tag, other);
        assert.deepEqual([refused.status, refused.body['code']], [412, 'precondition_failed'], tag);
      }
      assert.deepEqual(await api.snapshot(), before);
      const accepted = await put('"0"', body);
      assert.equal(accepted.status, 200, accepted.text);
    }),
    ...each('refuses unknown parameters', operations, async (operation) => {
      const call = await subject.keptCall(operation);
      const response = await subject.send({ ...call, path: `${call.path}?unknown=1` });
      assert.deepEqual([response.status, response.body['code']], [400, 'unknown_parameter']);
    }),
    ...each('says how many requests are left', operations, async (operation) => {
      const call = await subject.call(operation);
      const id = unique();
      const response = await subject.send(call, { headers: { 'x-request-id': id } });
      assert(response.status < 300, response.text);
      const policy = operation.write ? /^"write";q=200;w=60$/ : /^"read";q=600;w=60$/;
      assert.match(response.headers['ratelimit-policy'] ?? '', policy);
      assert.match(response.headers['ratelimit'] ?? '', /^"(read|write)";r=\d+;t=\d+$/);
      assert.equal(response.headers['x-request-id'], id);
    }),
  ];
}

import type { ReceivedResponse } from '@lyceum/testing';
import { assert } from './assertions.js';
import type { Json } from './cases.js';
import type { Check } from './check.js';
import { without } from './subject.js';
import type { Made, Operation, Subject } from './subject.js';
import { unique } from './unique.js';

interface BulkBody {
  readonly results: { index: number; status: number; id: string | null; errors: { pointer: string }[] }[];
  readonly all_succeeded: boolean;
}

/** The conventions of creations, upserts, deletions, bulk requests and states. */
export function objectChecks(subject: Subject): Check[] {
  const { api, cases } = subject;
  const [here, elsewhere] = api.sites;
  const rule = (name: string, of: Operation | undefined, run: (operation: Operation) => Promise<void>): Check[] =>
    of === undefined ? [] : [{ name: `${name}: ${of.name}`, run: () => run(of) }];
  const [create, patch, upsert, bulk] = (['create', 'patch', 'upsert', 'bulk'] as const).map((kind) =>
    subject.find(kind),
  );
  const pathOf = async (operation: Operation): Promise<string> =>
    subject.pathOf(operation, { parent: await subject.parentAt(here), id: unique() });

  /** Another body that has some members of this one. */
  const same = async (body: Json, members: readonly string[], site = here): Promise<Json> => {
    const kept = Object.entries(body).filter(([member]) => members.includes(member));
    return { ...(await subject.bodyOf('upsert', '', site)), ...Object.fromEntries(kept) };
  };

  return [
    ...rule('answers 201 with the place of the object', create, async (operation) => {
      const path = await pathOf(operation);
      const response = await api.send('POST', path, { body: await subject.bodyOf('create') });
      assert.equal(response.status, 201);
      assert.equal(response.headers['location'], `${here.base_url}${path}/${String(response.body['id'])}`);
      assert.match(String(response.body['id']), /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
      const found = await api.send('GET', new URL(response.headers['location']).pathname);
      assert.deepEqual(found.body, response.body);
    }),
    ...(cases.unique ?? []).flatMap((member) => [
      ...rule(`keeps ${member} unique at a site`, create, async (operation) => {
        const body = {
          ...(await subject.bodyOf('create')),
          ...(member === 'external_id' ? { external_id: unique() } : {}),
        };
        const path = await pathOf(operation);
        const first = await api.send('POST', path, { body });
        assert.equal(first.status, 201, first.text);
        const other = { ...(await subject.bodyOf('create')), [member]: Reflect.get(body, member) as unknown };
        const taken = await api.send('POST', path, { body: other });
        assert.deepEqual([taken.status, pointers(taken.body)], [409, [`/${member}`]], taken.text);
        assert.equal(taken.body['code'], 'already_exists');
        assert.deepEqual(ids(taken.body), [first.body['id']]);
        if (bulk !== undefined && cases.item === undefined) {
          const { body: refused } = await api.send('POST', await pathOf(bulk), { body: { items: [other] } });
          const [result] = refused['results'] as (BulkBody['results'][number] & Json)[];
          assert.deepEqual([result?.status, ids(result ?? {})], [409, [first.body['id']]]);
        }
        if (cases.parent === undefined)
          assert.equal(
            (await api.send('POST', path, { site: elsewhere, body: await same(body, [member], elsewhere) })).status,
            201,
          );
        const { path: second } = await subject.make();
        const changed = await api.send('PATCH', second, { body: { [member]: Reflect.get(body, member) as unknown } });
        assert.deepEqual([changed.status, pointers(changed.body)], [409, [`/${member}`]], changed.text);
        assert.deepEqual(ids(changed.body), [first.body['id']]);
      }),
    ]),
    ...rule('leaves absent members and clears null ones', patch, async () => {
      const made = await subject.make();
      const patched = (await subject.bodyOf('patch')) ?? {};
      const response = await api.send('PATCH', made.path, {
        body: patched,
        headers: { 'content-type': 'application/merge-patch+json' },
      });
      const named = [...Object.keys(patched), 'updated_at', ...(cases.derived ?? [])];
      assert.deepEqual(without(response.body, ...named), without(made.object, ...named));
      for (const [member, value] of Object.entries(patched)) {
        if (typeof value !== 'object' || value === null) assert.deepEqual(response.body[member], value, member);
      }
    }),
    ...rule('creates, then updates the object of an own key', upsert, async (operation) => {
      const path = await pathOf(operation);
      const key = path.split('/').at(-1);
      const body = (await subject.bodyOf('upsert')) ?? {};
      for (const tag of ['*', '"1"']) {
        const early = await api.send('PUT', path, { body, headers: { 'if-match': tag } });
        assert.deepEqual([early.status, early.body['code']], [412, 'precondition_failed'], 'no object has a tag');
      }
      const created = await api.send('PUT', path, { body });
      assert.deepEqual([created.status, created.body['external_id']], [201, key]);
      assert(created.headers['location']?.endsWith(String(created.body['id'])), created.headers['location']);
      const again = await api.send('PUT', path, { body });
      assert.deepEqual([again.status, again.body, again.headers['etag']], [200, created.body, created.headers['etag']]);
      const changed = await api.send('PUT', path, { body: await same(body, cases.references ?? []) });
      assert.deepEqual([changed.status, changed.body['id']], [200, created.body['id']]);
      const stale = await api.send('PUT', path, { body, headers: { 'if-match': created.headers['etag'] ?? '' } });
      assert.deepEqual([stale.status, stale.body['code']], [412, 'precondition_failed']);
      const there = subject.pathOf(operation, { parent: await subject.parentAt(elsewhere), id: key ?? '' });
      const other = await api.send('PUT', there, { site: elsewhere, body: await same(body, [], elsewhere) });
      assert.equal(other.status, 201, other.text);
      for (const bad of ['%00', 'x'.repeat(256), '%0A']) {
        const refused = await api.send('PUT', path.replace(/[^/]+$/, bad), { body: await subject.bodyOf('upsert') });
        assert([400, 404, 414, 422].includes(refused.status), `${bad}: ${refused.text}`);
      }
    }),
    ...rule('creates all items of a bulk request or none, or each by itself', bulk, async (operation) => {
      const path = await pathOf(operation);
      const bad = { unknown: 1 };
      // A body may create what it refers to, so all of them come before the snapshot.
      const [good, second, third] = [
        await subject.bodyOf('create'),
        await subject.bodyOf('create'),
        await subject.bodyOf('create'),
      ];
      const list = async (body: object): Promise<BulkBody> => {
        const response = await api.send('POST', path, { body });
        assert.equal(response.status, 200, response.text);
        return response.body as object as BulkBody;
      };
      const before = await api.snapshot();
      const position = await api.position();
      const none = await list({ atomic: true, items: [good, bad, second] });
      assert.deepEqual([none.all_succeeded, none.results.map(({ status }) => status)], [false, [424, 422, 424]]);
      assert(none.results.every(({ id }) => id === null));
      assert.deepEqual(await api.snapshot(), before);
      const some = await list({ atomic: false, items: [good, bad, good, third] });
      const repeated = cases.item !== undefined ? 200 : (cases.unique ?? []).length > 0 ? 409 : 201;
      assert.deepEqual(
        some.results.map(({ status }) => status),
        [201, 422, repeated, 201],
      );
      assert(some.results[1]?.errors.every(({ pointer }) => pointer.startsWith('/items/1/')));
      const events = await api.events(position, cases.parts);
      assert.equal(events.length, some.results.filter(({ status }) => status === 201).length);
      for (const [count, status] of [
        [0, 422],
        [201, 422],
      ] as const) {
        const items = Array.from({ length: count }, () => bad);
        assert.equal((await api.send('POST', path, { body: { items } })).status, status, `${count} items`);
      }
      const most = await list({ items: Array.from({ length: 200 }, () => bad) });
      assert.equal(most.results.length, 200);
    }),
    ...rule('deletes for good', subject.find('delete'), async () => {
      const made = await subject.make();
      const gone = await api.send('DELETE', made.path);
      assert.deepEqual([gone.status, gone.text], [204, '']);
      for (const method of ['GET', 'DELETE']) assert.equal((await api.send(method, made.path)).status, 404);
    }),
    ...stateChecks(subject),
  ];
}

/** Every move from every state, and patches of every state. */
function stateChecks(subject: Subject): Check[] {
  const { api, cases } = subject;
  const { states } = cases;
  if (states === undefined) return [];
  const names = [...new Set([states.initial, ...Object.values(states.moves).flatMap((moves) => Object.values(moves))])];
  const stateOf = ({ object }: Made): string => String(object[states.member]);
  return names.flatMap((state) => [
    ...Object.entries(states.moves).map(([action, moves]) => {
      // A repetition is no mistake: an object that has the state already stays as it is.
      const isRepeated = states.steps?.includes(action) !== true && Object.values(moves).includes(state);
      const to = moves[state] ?? (isRepeated ? state : undefined);
      return {
        name: `moves by ${action} from ${state} to ${to ?? 'nowhere'}: ${subject.name}`,
        run: async () => {
          const made = await subject.makeIn(state);
          assert.equal(stateOf(made), state);
          const response = await api.send('POST', `${made.path}/${action}`);
          const after = await subject.read(made.path, made.parent);
          assert.equal(stateOf(after), to ?? state);
          requireState(response, to !== undefined);
          if (moves[state] === undefined && to === state)
            assert.equal(after.object['updated_at'], made.object['updated_at']);
        },
      };
    }),
    ...(cases.patch === undefined ? [] : [patchIn(state)]),
  ]);

  function patchIn(state: string): Check {
    const isSealed = states?.sealed?.includes(state) === true;
    return {
      name: `${isSealed ? 'refuses' : 'accepts'} a patch in the state ${state}: ${subject.name}`,
      run: async () => {
        const made = await subject.makeIn(state);
        const response = await api.send('PATCH', made.path, { body: await subject.bodyOf('patch') });
        requireState(response, !isSealed);
      },
    };
  }
}

function requireState({ status, body, text }: ReceivedResponse<Record<string, unknown>>, allowed: boolean): void {
  if (allowed) assert.equal(status, 200, text);
  else assert.deepEqual([status, body['code']], [409, 'invalid_state'], text);
}

function ids(body: Json): unknown {
  return (body['errors'] as { id?: string }[] | undefined)?.map(({ id }) => id);
}

function pointers(body: Json): unknown {
  return (body['errors'] as { pointer: string }[] | undefined)?.map(({ pointer }) => pointer);
}

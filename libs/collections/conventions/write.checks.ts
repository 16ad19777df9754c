import { randomUUID } from 'node:crypto';
import type { ReceivedResponse } from '@lyceum/testing';
import { assert } from './assertions.js';
import { PEOPLE } from './callers.js';
import type { Cases, Json } from './cases.js';
import type { Check } from './check.js';
import { without } from './subject.js';
import type { Operation, Subject } from './subject.js';
import { unique } from './unique.js';

type ApiResponse = ReceivedResponse<Record<string, unknown>>;

const SHOWN_HEADERS = ['etag', 'location', 'cache-control'];

/** Idempotency keys, dry runs, events and no-ops of every write. */
export function writeChecks(subject: Subject): Check[] {
  const { api, operations } = subject;
  const writes = operations.filter(({ write }) => write);
  const each = (rule: string, run: (operation: Operation) => Promise<void>, of = writes): Check[] =>
    of.map((operation) => ({ name: `${rule}: ${operation.name}`, run: () => run(operation) }));

  return [
    ...each('repeats the response of an idempotency key', async (operation) => {
      const call = await subject.call(operation);
      const request = { token: api.token(), headers: { 'idempotency-key': unique() } };
      const first = await subject.send(call, request);
      assert(first.status < 300, first.text);
      assert.equal(first.headers['idempotent-replayed'], undefined);
      const before = await api.snapshot();
      const again = await subject.send(call, request);
      assert.equal(again.headers['idempotent-replayed'], 'true');
      assert.deepEqual(shown(again), shown(first));
      assert.deepEqual(await api.snapshot(), before);
      const other = await subject.send(call, { ...request, body: { ...(call.body as Json | undefined), other: 1 } });
      assert.equal(other.status, 422);
      const valid = await subject.bodyOf(operation.kind, operation.action);
      if (valid === undefined || operation.kind === 'patch' || operation.kind === 'action') return;
      const conflict = await subject.send({ ...call, body: valid }, request);
      assert.deepEqual([conflict.status, conflict.body['code']], [422, 'idempotency_key_reused']);
      const person = await subject.send(call, { ...request, token: api.token() });
      assert.equal(person.headers['idempotent-replayed'], undefined, 'The key of another person');
    }),
    ...each('refuses a malformed idempotency key', async (operation) => {
      const call = await subject.keptCall(operation);
      const response = await subject.send(call, { headers: { 'idempotency-key': 'x'.repeat(256) } });
      assert.deepEqual([response.status, response.body['code']], [400, 'invalid_request']);
    }),
    ...each('changes nothing in a dry run and answers like the real one', async (operation) => {
      const call = await subject.call(operation);
      const before = await api.snapshot();
      const dry = await subject.send(
        { ...call, path: `${call.path}?dry_run=true` },
        { headers: { 'idempotency-key': unique() } },
      );
      assert.deepEqual([dry.status, dry.headers['dry-run'], dry.body['dry_run']], [200, 'true', true], dry.text);
      assert.deepEqual(await api.snapshot(), before);
      const real = await subject.send(call);
      assert(real.status < 300, real.text);
      if (real.status === 201) assert.equal(dry.body['id'], null);
      const results = (dry.body['results'] ?? []) as Json[];
      assert(results.every(({ id }) => id === null));
      if (operation.kind === 'delete') assert.equal(dry.body['id'], call.path.split('/').at(-1));
      else assert.deepEqual(comparable(dry.body, subject.cases), comparable(real.body, subject.cases));
    }),
    ...each('publishes exactly one event, and logs it once, with its actor', async (operation) => {
      const call = await subject.call(operation);
      const position = await api.position();
      const person_id = (subject.cases.own === true ? PEOPLE[0] : undefined) ?? randomUUID();
      const caller = { person_id, client_id: randomUUID() };
      const request_id = unique();
      const response = await subject.send(call, { caller, headers: { 'x-request-id': request_id } });
      assert(response.status < 300, response.text);
      const events = await api.events(position, subject.cases.parts);
      const [event] = events;
      assert(event !== undefined && events.length === 1, events.map(({ type }) => type).join(', '));
      assert.match(event.type, /^school\.\w+\.\w+\.v\d+$/);
      // Test tokens name the person as the member, too.
      const actor = { member_id: caller.person_id, client_id: caller.client_id, via: 'rest' };
      assert.deepEqual(event.actor, { ...actor, request_id });
      const logged = await api.logged(request_id);
      if (logged === undefined) return;
      const { id, site_id, aggregate_id } = event;
      assert.deepEqual(logged, [{ id, site_id, object_id: aggregate_id === site_id ? null : aggregate_id, ...actor }]);
    }),
    ...each(
      'publishes nothing when nothing changes',
      async (operation) => {
        const call = await subject.call(operation);
        const first = await subject.send(call);
        const before = await api.snapshot();
        const again = await subject.send(call);
        assert.deepEqual(await api.snapshot(), before);
        if (again.status < 300) assert.equal(again.headers['etag'], first.headers['etag']);
        else
          assert(
            ['invalid_state', 'not_found', 'precondition_failed'].includes(String(again.body['code'])),
            again.text,
          );
      },
      writes.filter((operation) => !creates(operation) && operation.kind !== 'bulk'),
    ),
  ];
}

/** True for an operation that creates an object with each request, so it has no no-op. */
function creates({ method, described }: Operation): boolean {
  return method === 'POST' && '201' in described.responses;
}

function shown({ status, text, headers }: ApiResponse): object {
  return { status, text, headers: Object.fromEntries(SHOWN_HEADERS.map((name) => [name, headers[name]])) };
}

const TIMES = ['created_at', 'updated_at', 'published_at', 'started_at'];

/** Without what a repetition makes again: ids and times. */
export function comparable(body: Json, { derived = [] }: Cases): Json {
  const members = without(body, 'dry_run', 'id', ...TIMES, ...derived);
  const { results } = members;
  if (!Array.isArray(results)) return members;
  return { ...members, results: (results as Json[]).map((one) => without(one, 'id')) };
}

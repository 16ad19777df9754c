import { generateKeyPairSync } from 'node:crypto';
import { Sql } from '@lyceum/platform';
import { testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { Nats, Requests } from '../src/index.js';
import type { HandlerContext } from '../src/index.js';
import { closeServices, messagingDatabase, startService } from './service.js';
import type { TestService } from './service.js';

const SITE = '018f3b1e-0000-7000-8000-000000000001';
const SUBJECT = 'tools.admin-api.tool.work.1';
const keys = generateKeyPairSync('ed25519');
const CREATE = { name: 'create', text: 'CREATE SEQUENCE sent' };
const COUNT = { name: 'count', text: `SELECT nextval('sent')::int AS sent` };
const SENT = { name: 'sent', text: 'SELECT last_value::int AS sent FROM sent' };

let nats: TestNats;
let gateway: TestService;
let sql: Sql;
/** Runs between the two statements of the work. */
let pause: (caller: HandlerContext) => Promise<void>;
/** The result of the work. */
let ended: PromiseWithResolvers<unknown>;

beforeAll(async () => {
  nats = await testNats();
});
beforeEach(async () => {
  const database = await messagingDatabase();
  const worker = await startService({
    service: 'admin-api',
    nats: nats.environment('admin-api'),
    trustedKeys: [keys.publicKey],
    database,
  });
  gateway = await startService({
    service: 'mcp-gateway',
    nats: nats.environment('mcp-gateway'),
    signingKey: keys.privateKey,
  });
  sql = worker.get(Sql);
  await sql.query(CREATE, []);
  ended = Promise.withResolvers();
  worker.get(Requests).handleSubject(SUBJECT, async (_body, caller) => {
    const work = (async () => {
      await sql.query(COUNT, []);
      await pause(caller);
      await sql.query(COUNT, []);
    })();
    work.then(ended.resolve, ended.resolve);
    await work;
  });
  await (await worker.get(Nats).ready()).flush();
  await gateway.get(Nats).ready();
});
afterEach(closeServices);
afterAll(() => nats.stop());

const call = (signal: AbortSignal) =>
  gateway.get(Requests).call(SUBJECT, {}, { site_id: SITE, cancelable: true, signal });

test('sends no further statement for a canceled request', async () => {
  const abort = new AbortController();
  pause = ({ signal }) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve());
      abort.abort(new Error('gone'));
    });
  await expect(call(abort.signal)).rejects.toThrow('gone');
  expect(await ended.promise).toMatchObject({ message: 'The caller has gone away.' });
  expect(await sql.query(SENT, [])).toEqual([{ sent: 1 }]);
});

test('sends all statements of a request that is not canceled', async () => {
  pause = () => Promise.resolve();
  expect(await call(new AbortController().signal)).toEqual({ ok: true, result: null });
  expect(await ended.promise).toBeUndefined();
  expect(await sql.query(SENT, [])).toEqual([{ sent: 2 }]);
});

import { commandReplySchema } from '@lyceum/contracts';
import type { CommandDefinition } from '@lyceum/contracts';
import { connectAs } from '@lyceum/testing';
import type { NatsConnection } from '@nats-io/transport-node';
import pg from 'pg';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { CommandBodies } from './command-bodies.js';
import type { Body, Draw } from './command-bodies.js';
import { FAULT_NAMES, withFault } from './command-faults.js';
import { newStudents } from './new-events.js';
import { Shop } from './shop.js';

const { LYCEUM_FUZZ_SEED, LYCEUM_FUZZ_COMMANDS } = process.env;
/** `npm run test:long -- commands` sends the commands of other seeds. */
const SEED = Number(LYCEUM_FUZZ_SEED ?? 20_261_128);
const COMMANDS = Number(LYCEUM_FUZZ_COMMANDS ?? 300);
/** Milliseconds on a busy machine. */
const LIMIT = Math.max(300_000, 60 * COMMANDS);

/**
 * Tables that tasks of the service write while a command runs: limits, the relay of the outbox, the consumer that keeps
 * the feed of changes, and the log of changed rows itself.
 */
const NOT_COMPARED = ['rate_windows', 'outbox', 'inbox', 'changes', 'change_clock', 'row_changes'];

/** A sequence of numbers from 0 to `below` that a seed repeats (mulberry32). */
function numbers(seed: number): Draw {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

interface Message {
  readonly definition: CommandDefinition;
  readonly text: string;
}

let api: TestApi;
let shop: Shop;
let connection: NatsConnection;
let database: pg.Client;
beforeAll(async () => {
  api = await startAdminApi();
  shop = await Shop.open(api);
  connection = await connectAs(api.nats.environment('storefront'));
  database = new pg.Client({ connectionString: api.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await connection?.close();
  await shop?.checkout.close();
  await api.stop();
});

/** A refused payment is noted in its pending order, for operators. */
const OF_REFUSALS = ['payment_refusal', 'version', 'updated_at'];

/** Notes the table of each changed row by a trigger, in the transaction of the change. */
async function watchRows(): Promise<void> {
  const { rows } = await database.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> all($1)`,
    [NOT_COMPARED],
  );
  expect(rows.length).toBeGreaterThan(30);
  const triggers = rows.map(
    ({ name }) =>
      `create trigger note_change after insert or update or delete on ${name} for each row
       execute function note_change('${[name, ...(name === 'orders' ? OF_REFUSALS : [])].join("', '")}');`,
  );
  await database.query(`
    create table row_changes (name text not null);
    create function note_change() returns trigger language plpgsql as $$
      begin
        if to_jsonb(old) - tg_argv[1:] is distinct from to_jsonb(new) - tg_argv[1:] then insert into row_changes values (tg_argv[0]); end if;
        return null;
      end $$;
    ${triggers.join('\n')}`);
}

/** The tables with changes since the last call. */
async function changedTables(): Promise<readonly string[]> {
  const { rows } = await database.query<{ name: string }>(
    'with taken as (delete from row_changes returning name) select distinct name from taken order by name',
  );
  return rows.map(({ name }) => name);
}

async function send({ definition, text }: Message) {
  const reply = await connection.request(definition.subject, text, { timeout: 30_000 });
  return commandReplySchema(definition.output).parse(reply.json());
}

it(
  'answers generated commands with a result or a closed code, and changes no row by a refusal',
  async () => {
    process.stderr.write(`LYCEUM_FUZZ_SEED=${SEED}\n`);
    const draw = numbers(SEED);
    const bodies = await CommandBodies.open(api, shop, draw);
    const [foreign = ''] = await newStudents({ ...api, sites: [api.sites[1], api.sites[0]] }, 1);
    await watchRows();
    const sent: { readonly message: Message; readonly body: Body }[] = [];
    const outcomes = new Map<string, number>();
    const violations: unknown[] = [];
    for (let number = 0; number < COMMANDS; number += 1) {
      const kind = bodies.pick(['none', 'none', 'none', 'repeated', 'other_body', ...FAULT_NAMES]) ?? 'none';
      const { definition, body } = bodies.next();
      const earlier = bodies.pick(sent);
      let message: Message = { definition, text: JSON.stringify(body) };
      if (kind === 'repeated' && earlier !== undefined) message = earlier.message;
      else if (kind === 'other_body' && earlier !== undefined)
        message = { definition, text: JSON.stringify({ ...body, idempotency_key: earlier.body['idempotency_key'] }) };
      else if (FAULT_NAMES.includes(kind)) message = { definition, text: withFault(kind, body, draw, [foreign]) };
      const reply = await send(message);
      const changed = await changedTables();
      const outcome = reply.ok ? 'done' : reply.error.code;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (reply.ok) bodies.keep(reply.result as Body);
      if (kind === 'none' && reply.ok) sent.push({ message, body });
      const isUnexpected = outcome === 'internal' || outcome === 'temporarily_unavailable';
      if (isUnexpected || (!reply.ok && changed.length > 0))
        violations.push({ kind, name: message.definition.name, text: message.text.slice(0, 2_000), reply, changed });
    }
    expect(violations.slice(0, 5)).toEqual([]);
    process.stderr.write(`${JSON.stringify(Object.fromEntries(outcomes))}\n`);
    for (const code of ['done', 'validation_failed', 'not_found', 'invalid_state', 'already_exists']) {
      expect([...outcomes.keys()]).toContain(code);
    }
    expect(outcomes.get('done')).toBeGreaterThan(COMMANDS / 30);
    expect(outcomes.get('idempotency_key_reused')).toBeGreaterThan(0);
  },
  LIMIT,
);

it('keeps the sums of orders, refunds and sales after all of them', async () => {
  const { rows } = await database.query(
    `select o.number from orders o
     left join lateral (select sum(total_minor) as total from order_lines l where l.order_id = o.id) lines on true
     left join lateral (select coalesce(sum(amount_minor), 0) as total from order_refunds r where r.order_id = o.id) refunds on true
     where lines.total <> o.total_minor or refunds.total <> o.refunded_minor or o.refunded_minor > o.total_minor`,
  );
  expect(rows).toEqual([]);
  const { rows: counted } = await database.query<{ count: string }>('select count(*) from orders');
  expect(Number(counted[0]?.count)).toBeGreaterThan(5);
});

it('serves a further order after all of them', async () => {
  const { line } = await shop.coursePlan();
  const made = await shop.sell(await shop.checkout.newStudent(), [line]);
  expect(await shop.checkout.read(made.order_id)).toMatchObject({ state: 'paid', total_minor: 1000 });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { scaled } from '../arguments.ts';
import { onDatabase } from '../data/database.ts';
import { copyOwners, type Operator } from '../data/operators.ts';
import { fillOrders, newestPaid } from '../data/orders.ts';
import { exchange } from '../exchange.ts';
import { ratioOfMedians } from '../in-turn.ts';
import { spread } from '../ratio.ts';
import type { Bench, LoadRequest, Quantity } from '../suite.ts';
import { startTwin, type Twin } from '../twin.ts';

/** How many times as many rows. */
const GROWTH = 100;
const GOAL = 1.2;
/** Requests of each kind to each server, in all below the quota of a site and those of its owners. */
const REQUESTS = 200;
/** Exports of each size. */
const EXPORTS = 3;
const POLL_MS = 5;

export interface OrderGrowth {
  /** URLs of two databases that no service uses yet. */
  readonly few: string;
  readonly many: string;
  /** The owners of one site without orders. */
  readonly owners: readonly Operator[];
}

/** A server with its database. */
interface Filled extends Twin {
  readonly databaseUrl: string;
  readonly orders: number;
  /** The path of each kind of read. */
  readonly paths: Readonly<Record<string, string>>;
}

/** The slowdown of reads and exports with more orders at the site. */
export async function orderGrowth(bench: Bench, { few, many, owners }: OrderGrowth): Promise<Quantity[]> {
  const { stack, step, hold } = bench;
  const { rows } = bench.arguments;
  const less = Math.ceil(rows / GROWTH);
  const { site_id } = owners[0]!;
  const start = async (databaseUrl: string, orders: number): Promise<Filled> => {
    await step(`insert ${orders.toLocaleString('en')} orders`, () => fillOrders(databaseUrl, site_id, orders));
    await copyOwners(stack.databaseUrl('auth'), databaseUrl, site_id);
    const paths = await readsOf(databaseUrl, site_id);
    return { ...(await startTwin(stack, 'admin-api', databaseUrl)), databaseUrl, orders, paths };
  };
  const large = await start(many, rows);
  const small = await start(few, less);
  hold({ 'orders at one site': rows });
  const quantities = await compared(bench, [large, small], owners);
  await large.stop();
  await small.stop();
  return quantities;
}

async function compared(
  { arguments: wanted, step }: Bench,
  [large, small]: readonly [Filled, Filled],
  owners: readonly Operator[],
): Promise<Quantity[]> {
  const requests = scaled(wanted, REQUESTS);
  const ownerOf = (n: number): Operator => owners[n % owners.length]!;
  const sizes = [large, small].map(({ orders }) => orders.toLocaleString('en')).join(' ÷ ');
  const quantities: Quantity[] = [];
  const add = (what: string, value: number): void => {
    const title = `${what}, ${sizes} orders at the site`;
    quantities.push({ suite: 'orders', title, unit: '×', goal: GOAL, measure: () => Promise.resolve(value) });
  };
  for (const kind of Object.keys(large.paths)) {
    const read = (from: Filled) => (n: number) => bodyOf(from, reading(ownerOf(n), from.paths[kind]!));
    const ratio = await step(`${kind} at both in turn`, () => ratioOfMedians(requests, [read(large), read(small)]));
    add(`p50 of ${kind}`, ratio);
  }
  const [ofLarge, ofSmall] = await step('export all of both in turn', () => exportInTurn([large, small], owners));
  add('time of an order in an export as CSV', ofLarge / ofSmall);
  return quantities;
}

/** One read of each kind. All lists but that of a number fill their page at both sites. */
async function readsOf(databaseUrl: string, siteId: string): Promise<Readonly<Record<string, string>>> {
  const { id, number, student_id, paid_at } = await newestPaid(databaseUrl, siteId);
  const hour = 3_600_000;
  const since = encodeURIComponent(new Date(paid_at.getTime() - hour).toISOString());
  const until = encodeURIComponent(paid_at.toISOString());
  const list = (query: string): string => `?limit=20${query && `&${query}`}`;
  return {
    'get order': `/${id}`,
    'list orders': list(''),
    'list orders, the oldest first': list('sort=created_at'),
    'list orders by payment': list('sort=-paid_at'),
    'list orders by change': list('sort=-updated_at'),
    'list orders of a state': list('state=refunded'),
    'list orders of a student': list(`student_id=${student_id}`),
    'list orders of a number': list(`number=${number}`),
    'list orders of a frequent source': list('source=checkout'),
    'list orders of a rare source': list('source=fair'),
    'list orders of a currency': list('currency=USD'),
    'list orders of a frequent item type': list('item_type=ticket'),
    'list orders of a rare item type': list('item_type=consulting_sessions'),
    'list orders paid in an hour': list(`paid_at[gte]=${since}&paid_at[lt]=${until}`),
    'list orders of a state and a currency': list('state=paid&currency=USD'),
  };
}

function reading({ host, token }: Operator, what: string): LoadRequest {
  return { method: 'GET', path: `/api/v1/orders${what}`, headers: { host, authorization: `Bearer ${token}` } };
}

async function bodyOf({ origin }: Twin, request: LoadRequest): Promise<string> {
  const { status, body } = await exchange(origin, request);
  if (status >= 300) throw new Error(`${request.path}: ${status} ${body.slice(0, 500)}`);
  return body;
}

/** The median milliseconds of an order in exports of all orders of each server. */
async function exportInTurn(servers: readonly [Filled, Filled], owners: readonly Operator[]) {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < EXPORTS; round += 1) {
    for (const [index, server] of servers.entries())
      times[index]!.push(await exportAll(server, owners[round % owners.length]!));
  }
  const [large, small] = times.map((values) => spread(values).median);
  return [large!, small!] as const;
}

/** Milliseconds of an order, from the moment when the service takes the export up. */
async function exportAll({ databaseUrl, orders, ...twin }: Filled, { host, token }: Operator): Promise<number> {
  const request: LoadRequest = {
    method: 'POST',
    path: '/api/v1/exports',
    headers: { host, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ collection: 'orders', format: 'csv' }),
  };
  const { id } = JSON.parse(await bodyOf(twin, request)) as { id: string };
  return onDatabase(databaseUrl, async (client) => {
    let began: number | undefined;
    for (;;) {
      const { rows } = await client.query<{ state: string; rows_count: number }>({
        name: 'state',
        text: 'SELECT state, rows_count FROM exports WHERE id = $1',
        values: [id],
      });
      const { state, rows_count } = rows[0]!;
      if (state !== 'queued') began ??= performance.now();
      if (state === 'failed') throw new Error('The export failed');
      if (state === 'ready') {
        if (rows_count !== orders) throw new Error(`The export has ${rows_count} of ${orders} orders`);
        return (performance.now() - began!) / orders;
      }
      await sleep(POLL_MS);
    }
  });
}

import { scaled } from '../arguments.ts';
import { benchSite } from '../bench-stack.ts';
import { fillOperators } from '../data/operators.ts';
import { fillFormerOrders, fillOrderGoods } from '../data/order-goods.ts';
import type { Suite } from '../suite.ts';
import { copyDatabase } from '../twin.ts';
import { orderGrowth } from './order-growth.ts';
import { orderRecords, recordedOrders } from './order-records.ts';
import { untilServed } from './served-operators.ts';

const OWNERS = 10;
/** Orders that the school has recorded before. */
const FORMER = 5_000;
/** Copies of the school database, which are dropped with the stack. */
const COPIES = ['bench_by_hand', 'bench_few', 'bench_many'];

/** Records orders by the service and by hand, and reads and exports 100 times as many orders. */
export const orders: Suite = async (bench) => {
  const { stack, arguments: wanted, step } = bench;
  const site = benchSite(stack);
  const owners = await step(`load a site with ${OWNERS} owners`, async () => {
    const scope = 'courses:read orders:read students:read';
    const filled = await fillOperators(stack.databaseUrl('auth'), { site, sites: 1, owners: OWNERS, scope });
    // A starting auth publishes all sites.
    await stack.restart('auth');
    return filled;
  });
  const goods = await step('load courses, plans and students', () =>
    fillOrderGoods(stack.databaseUrl('school'), site.site_id, recordedOrders(wanted)),
  );
  await untilServed(stack, owners);
  const [byHand = '', few = '', many = ''] = await step('copy the school database', () =>
    copyDatabase(stack, 'admin-api', COPIES),
  );
  const former = scaled(wanted, FORMER);
  await step(`load ${former} former orders at each side`, async () => {
    for (const url of [stack.databaseUrl('school'), byHand]) await fillFormerOrders(url, site.site_id, former);
  });
  // Applying the events of orders is work of another service, which has its own machine.
  await stack.halt('member-api');
  // Before the twins, which would take a part of the commands.
  const records = await orderRecords(bench, goods, byHand);
  return [records, ...(await orderGrowth(bench, { few, many, owners }))];
};

import { surfaceOf } from '@lyceum/collections';
import { ConventionApi, Description, Subject, conventionChecks } from '@lyceum/collections/conventions';
import type { Check } from '@lyceum/collections/conventions';
import { buildDocument } from '@lyceum/rest';
import { couponCases } from './coupons/coupon.cases.js';
import { CouponModule } from './coupons/coupon.module.js';
import { faults } from './faults.js';
import { openGround } from './fixture.service.js';
import type { Ground } from './fixture.service.js';

const description = new Description(buildDocument(surfaceOf([CouponModule])));
let ground: Ground;

beforeAll(async () => {
  ground = await openGround([CouponModule]);
});
afterAll(() => ground?.stop());

/** The names of the checks that a service breaks, of those that begin with a rule. */
async function broken(api: ConventionApi, rule: string): Promise<string[]> {
  const [collection] = CouponModule.collections;
  const [controller] = CouponModule.surface;
  if (collection === undefined || controller === undefined) throw new Error('Coupons have no operations');
  const checks = conventionChecks(new Subject(api, couponCases, collection, controller as never));
  const tried = checks.filter(({ name }) => name.startsWith(rule));
  expect(tried.length).toBeGreaterThan(0);
  const failed = async (check: Check): Promise<string[]> =>
    check.run().then(
      () => [],
      () => [check.name],
    );
  const names: string[] = [];
  for (const check of tried) names.push(...(await failed(check)));
  return names;
}

it.each(faults.map((fault) => [fault.name, fault] as const))('finds %s', async (_name, { module, rule, sql }) => {
  const service = await ground.start([module]);
  const api = new ConventionApi(description);
  await api.open({ url: service.url, ...ground });
  if (sql !== undefined) await api.query(sql);
  expect(await broken(api, rule)).not.toEqual([]);
  await api.close();
  await service.close();
});

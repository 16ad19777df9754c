import { surfaceOf } from '@lyceum/collections';
import type { CollectionModule } from '@lyceum/collections';
import { ConventionApi, Description, Subject, conventionChecks } from '@lyceum/collections/conventions';
import type { Cases, Check } from '@lyceum/collections/conventions';
import { buildDocument } from '@lyceum/rest';
import { couponCases, voucherCases } from './coupons/coupon.cases.js';
import { CouponModule } from './coupons/coupon.operations.js';
import { VoucherModule } from './coupons/voucher.module.js';
import { faults } from './faults.js';
import type { Fault } from './faults.js';
import { openGround } from './fixture.service.js';
import type { Ground } from './fixture.service.js';
import { voucherFaults } from './voucher.faults.js';

interface Sound {
  readonly module: CollectionModule;
  readonly cases: Cases;
  readonly description: Description;
}

const soundOf = (module: CollectionModule, cases: Cases, above: readonly CollectionModule[] = []): Sound => ({
  module,
  cases,
  description: new Description(buildDocument(surfaceOf([...above, module]))),
});
const coupons = soundOf(CouponModule, couponCases);
const vouchers = soundOf(VoucherModule, voucherCases, [CouponModule]);
let ground: Ground;

beforeAll(async () => {
  ground = await openGround([CouponModule, VoucherModule]);
});
afterAll(() => ground?.stop());

/** Runs the checks whose names begin with the rule. Returns those that the service breaks. */
async function broken(api: ConventionApi, { module, cases }: Sound, rule: string): Promise<string[]> {
  const [collection] = module.collections;
  if (collection === undefined) throw new Error('The module has no operations');
  const checks = conventionChecks(new Subject(api, cases, collection));
  const tried = checks.filter(({ name }) => name.startsWith(rule));
  expect(tried.length).toBeGreaterThan(0);
  const failed = async (check: Check): Promise<string[]> =>
    check.run().then(
      () => [],
      (error: unknown) => [`${check.name}: ${String(error)}`],
    );
  const failures: string[] = [];
  for (const check of tried) failures.push(...(await failed(check)));
  return failures;
}

const planted: readonly (readonly [string, Fault, Sound])[] = [
  ...faults.map((fault) => [fault.name, fault, coupons] as const),
  ...voucherFaults.map((fault) => [fault.name, fault, vouchers] as const),
];

/** Runs the checks of the rules against a service of the module. Returns their findings. */
async function found(
  module: CollectionModule,
  sound: Sound,
  rules: readonly string[],
  sql?: string,
): Promise<string[]> {
  const service = await ground.start([module]);
  const api = new ConventionApi(sound.description);
  await api.open({ url: service.url, ...ground });
  if (sql !== undefined) await api.query(sql);
  const all: string[] = [];
  for (const rule of rules) all.push(...(await broken(api, sound, rule)));
  await api.close();
  await service.close();
  return all;
}

it.each(planted)('finds %s', async (_name, { module, rule, sql }, sound) => {
  expect(await found(module, sound, [rule], sql)).not.toEqual([]);
});

// After the faults: what they leave behind breaks no check.
it.each([
  ['coupons', coupons],
  ['vouchers', vouchers],
] as const)('finds nothing in sound %s', async (_name, sound) => {
  const rules = planted.filter(([, { sql }, of]) => sql === undefined && of === sound).map(([, { rule }]) => rule);
  expect(await found(sound.module, sound, rules)).toEqual([]);
});

import { ConventionApi, Description, SITES, Subject, conventionChecks } from '@lyceum/collections/conventions';
import type { Cases, Check } from '@lyceum/collections/conventions';
import { surfaceOf } from '@lyceum/collections';
import { buildDocument } from '@lyceum/rest';
import { couponCases, redemptionCases, settingsCases, voucherCases } from './coupons/coupon.cases.js';
import { CouponModule } from './coupons/coupon.operations.js';
import { VoucherModule } from './coupons/voucher.module.js';
import { openGround } from './fixture.service.js';
import type { Ground } from './fixture.service.js';

const modules = [CouponModule, VoucherModule];
const description = new Description(buildDocument(surfaceOf(modules)));
const tables: Readonly<Record<string, Cases>> = {
  coupons: couponCases,
  vouchers: voucherCases,
  redemptions: redemptionCases,
  voucher_settings: settingsCases,
};

const api = new ConventionApi(description);
let ground: Ground;

beforeAll(async () => {
  ground = await openGround(modules);
  const { url } = await ground.start(modules);
  await api.open({ url, ...ground });
  await api.query(`insert into voucher_settings (site_id) select unnest($1::uuid[])`, [
    SITES.map((one) => one.site_id),
  ]);
});
afterAll(async () => {
  await api.close();
  await ground?.stop();
});

const subjects = modules.flatMap(({ collections }) => collections.map((one) => [one.name, one] as const));

describe.each(subjects)('%s', (name, collection) => {
  const cases = tables[name];
  if (cases === undefined) throw new Error(`${name} has no cases`);
  const checks: Check[] = conventionChecks(new Subject(api, cases, collection));
  it.each(checks.map((check) => [check.name, check] as const))('follows the convention: %s', async (_name, check) => {
    await expect(check.run()).resolves.toBeUndefined();
  });
});

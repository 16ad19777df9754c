import { surfaceOf } from '@lyceum/collections';
import type { CollectionModule } from '@lyceum/collections';
import { ConventionApi, Description, Subject } from '@lyceum/collections/conventions';
import { Fuzzer, strictDescription } from '@lyceum/collections/fuzz';
import { buildDocument } from '@lyceum/rest';
import { couponCases } from './coupons/coupon.cases.js';
import { CouponModule } from './coupons/coupon.operations.js';
import { openGround } from './fixture.service.js';
import type { Ground } from './fixture.service.js';
import { armed, fuzzFaults } from './fuzz.faults.js';

const REQUESTS = 300;
const SEED = 7;

const document = buildDocument(surfaceOf([CouponModule]));
let ground: Ground;

beforeAll(async () => {
  ground = await openGround([CouponModule]);
});
afterAll(() => ground?.stop());

/** Fuzzes a service of the module. */
async function fuzz(module: CollectionModule, limit = 10_000, search?: number): Promise<Fuzzer> {
  const service = await ground.start([module]);
  const api = new ConventionApi(new Description(document));
  await api.open({ url: service.url, ...ground });
  const [collection] = module.collections;
  if (collection === undefined) throw new Error('The module has no operations');
  const subjects = [new Subject(api, couponCases, collection)];
  const fuzzer = await Fuzzer.open({ service, api, description: strictDescription(document), subjects, limit, search });
  armed.on = true;
  try {
    await fuzzer.run(REQUESTS, SEED);
    return fuzzer;
  } finally {
    armed.on = false;
    fuzzer.close();
    await api.close();
    await service.close();
  }
}

it('finds nothing in sound coupons, and reaches each operation', async () => {
  const { sent, statuses } = await fuzz(CouponModule);
  expect(sent).toBeGreaterThanOrEqual(REQUESTS);
  expect(statuses.size).toBe(new Description(document).operations().length);
});

it.each(fuzzFaults.map((fault) => [fault.name, fault] as const))(
  'finds %s',
  async (_name, { module, limit, search, found }) => {
    await expect(fuzz(module, limit, search)).rejects.toThrow(found);
  },
);

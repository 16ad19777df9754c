import { SITES_BUCKET, TOOLS_BUCKET, siteSchema } from '@lyceum/contracts';
import type { Site } from '@lyceum/contracts';
import { connectAs, eventually, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { jetstream } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import type { KV } from '@nats-io/kv';
import { z } from 'zod';
import { KeyValue, Nats } from '../src/index.js';
import type { KvMirror } from '../src/index.js';
import { LIMITS } from '../src/connection/limits.js';
import { closeServices, logs, sleep, startService } from './service.js';
import type { TestService } from './service.js';

let nats: TestNats;
beforeEach(async () => {
  nats = await testNats();
});
afterEach(async () => {
  await closeServices();
  await nats.stop();
});

const id = (n: number): string => `018f3b1e-0000-7000-8000-${String(n).padStart(12, '0')}`;
const site = (n: number, name = `Site ${n}`): Site => ({
  site_id: id(n),
  base_url: `https://s${n}.example`,
  host: `s${n}.example`,
  name,
  slug: `s${n}`,
  org_id: `org-${n}`,
  state: 'active',
});

const startAuth = () => startService({ service: 'auth', nats: nats.environment('auth') });

async function startMirror(): Promise<{ service: TestService; sites: KvMirror<Site>; changes: string[] }> {
  const service = await startService({ service: 'member-api', nats: nats.environment('member-api') });
  const sites = service.get(KeyValue).mirror(SITES_BUCKET, siteSchema);
  const changes: string[] = [];
  sites.onChange((key, value) => changes.push(`${Number(key.slice(-4))}=${value?.name ?? 'gone'}`));
  return { service, sites, changes };
}

const names = (sites: KvMirror<Site>): string[] => [...sites.values()].map(({ name }) => name).sort();

async function withBucket<T>(work: (bucket: KV) => Promise<T>): Promise<T> {
  const connection = await connectAs(nats.environment('admin'));
  return work(await new Kvm(jetstream(connection)).open(SITES_BUCKET)).finally(() => connection.close());
}

test('mirrors existing values and follows later puts, changes and deletions', async () => {
  const directory = (await startAuth()).get(KeyValue);
  await directory.put(SITES_BUCKET, id(1), site(1));
  const { sites, changes } = await startMirror();
  await sites.ready;
  expect(sites.get(id(1))).toEqual(site(1));
  // The bucket keeps only the last value of a key, so a mirror that lags may miss a value in between.
  for (const [count, change] of [
    () => directory.put(SITES_BUCKET, id(2), site(2)),
    () => directory.put(SITES_BUCKET, id(1), site(1, 'Renamed')),
    () => directory.delete(SITES_BUCKET, id(2)),
  ].entries()) {
    await change();
    await eventually(() => changes.length === count + 2);
  }
  expect(changes).toEqual(['1=Site 1', '2=Site 2', '1=Renamed', '2=gone']);
  expect(names(sites)).toEqual(['Renamed']);
  expect(logs.filter((line) => line.includes('Permissions Violation'))).toEqual([]);
});

test('writes those of many values that differ from the bucket', async () => {
  const directory = (await startAuth()).get(KeyValue);
  const all = new Map(Array.from({ length: 150 }, (_, n) => [id(n), site(n)]));
  const written = () => withBucket(async (bucket) => (await bucket.status()).streamInfo.state.last_seq);
  await directory.putAll(SITES_BUCKET, all);
  expect(await written()).toBe(150);
  await directory.putAll(SITES_BUCKET, all);
  expect(await written()).toBe(150);
  await directory.delete(SITES_BUCKET, id(7));
  await directory.putAll(SITES_BUCKET, all.set(id(8), site(8, 'Renamed')));
  expect(await written()).toBe(153);
  const { sites } = await startMirror();
  await sites.ready;
  expect([...sites.values()]).toHaveLength(150);
  expect([sites.get(id(7)), sites.get(id(8))]).toEqual([site(7), site(8, 'Renamed')]);
});

test('becomes ready for an empty bucket', async () => {
  await startAuth();
  const { sites } = await startMirror();
  await sites.ready;
  expect(names(sites)).toEqual([]);
});

test('waits for NATS and for the bucket', async () => {
  await withBucket(async (bucket) => void (await bucket.destroy()));
  await nats.kill();
  const { service, sites } = await startMirror();
  await nats.restart();
  await service.get(Nats).ready();
  await eventually(() => logs.some((line) => line.includes('the bucket cannot be read now')));
  expect(await service.metric('messaging_resource_missing', { kind: 'bucket', name: SITES_BUCKET })).toBe(1);
  await nats.bootstrap();
  const auth = await startAuth();
  await auth.get(KeyValue).put(SITES_BUCKET, id(1), site(1));
  await sites.ready;
  await eventually(() => names(sites).length === 1);
  expect(sites.get(id(1))).toEqual(site(1));
  expect(await service.metric('messaging_resource_missing', { kind: 'bucket', name: SITES_BUCKET })).toBe(0);
});

test('writes nothing for an equal value', async () => {
  const directory = (await startAuth()).get(KeyValue);
  await directory.put(SITES_BUCKET, id(1), site(1));
  await directory.put(SITES_BUCKET, id(1), site(1));
  expect((await withBucket((bucket) => bucket.get(id(1))))?.revision).toBe(1);
  await directory.put(SITES_BUCKET, id(1), site(1, 'Other'));
  expect((await withBucket((bucket) => bucket.get(id(1))))?.revision).toBe(2);
});

test('mirrors a large value, and writes nothing for an equal one', async () => {
  const auth = (await startAuth()).get(KeyValue);
  const { sites, changes } = await startMirror();
  const large = site(1, 'x'.repeat(1_000_000));
  for (const _time of [1, 2]) await auth.put(SITES_BUCKET, id(1), large);
  await eventually(() => changes.length > 0);
  expect(sites.get(id(1))).toEqual(large);
  const stored = await withBucket((bucket) => bucket.get(id(1)));
  expect(stored?.revision).toBe(1);
  expect(stored?.length).toBeLessThan(10_000);
});

test('keeps its entries while NATS is down, then applies the changes and deletions', async () => {
  const auth = await startAuth();
  for (const n of [1, 2]) await auth.get(KeyValue).put(SITES_BUCKET, id(n), site(n));
  const { service, sites } = await startMirror();
  await sites.ready;
  await nats.kill();
  await eventually(() => !service.get(Nats).connected);
  expect(names(sites)).toEqual(['Site 1', 'Site 2']);
  await nats.restart();
  await auth.get(KeyValue).put(SITES_BUCKET, id(1), site(1, 'Renamed'));
  await auth.get(KeyValue).delete(SITES_BUCKET, id(2));
  await eventually(() => names(sites).join() === 'Renamed');
});

test('recovers when the bucket was recreated with fewer entries', async () => {
  const refill = jest.replaceProperty<{ bucketRefill: number }, 'bucketRefill'>(LIMITS, 'bucketRefill', 1_000);
  try {
    const auth = await startAuth();
    for (const n of [1, 2, 3]) await auth.get(KeyValue).put(SITES_BUCKET, id(n), site(n));
    const { sites } = await startMirror();
    await sites.ready;
    await withBucket(async (bucket) => {
      await bucket.destroy();
    });
    await nats.bootstrap();
    // Longer than the time to refill it: no owner has written yet.
    await sleep(1_500);
    expect(names(sites)).toHaveLength(3);
    await auth.get(KeyValue).put(SITES_BUCKET, id(2), site(2));
    await eventually(() => names(sites).join() === 'Site 2');
    expect(sites.get(id(3))).toBeUndefined();
  } finally {
    refill.restore();
  }
});

test('leaves out an invalid value and keeps the previous one', async () => {
  const auth = await startAuth();
  await auth.get(KeyValue).put(SITES_BUCKET, id(1), site(1));
  const { sites } = await startMirror();
  await sites.ready;
  await withBucket(async (bucket) => {
    await bucket.put(id(1), 'no JSON');
    await bucket.put(id(2), '{}');
  });
  await auth.get(KeyValue).put(SITES_BUCKET, id(3), site(3));
  await eventually(() => names(sites).length === 2);
  expect(names(sites)).toEqual(['Site 1', 'Site 3']);
});

test('survives a listener that throws', async () => {
  const auth = await startAuth();
  const { sites } = await startMirror();
  sites.onChange(() => {
    throw new Error('a bad listener');
  });
  await sites.ready;
  await auth.get(KeyValue).put(SITES_BUCKET, id(1), site(1));
  await auth.get(KeyValue).put(SITES_BUCKET, id(2), site(2));
  await eventually(() => names(sites).length === 2);
  expect(names(sites)).toEqual(['Site 1', 'Site 2']);
});

const startOwner = async (service: 'admin-api' | 'member-api' | 'mcp-gateway') => {
  const owner = await startService({ service, nats: nats.environment(service) });
  return owner.get(KeyValue);
};

async function startLeases() {
  const gateway = await startService({ service: 'mcp-gateway', nats: nats.environment('mcp-gateway') });
  return gateway.get(KeyValue).mirror(TOOLS_BUCKET, z.object({ name: z.string() }));
}

test('mirrors the tool catalogs that each service writes under its own keys', async () => {
  const seen = await startLeases();
  for (const service of ['admin-api', 'member-api', 'mcp-gateway'] as const) {
    await (await startOwner(service)).lease(TOOLS_BUCKET, `${service}.1`, { name: service }, 60_000);
  }
  await eventually(() => [...seen.values()].length === 3);
  expect(seen.get('member-api.1')).toEqual({ name: 'member-api' });
  expect(logs.filter((line) => line.includes('Permissions Violation'))).toEqual([]);
});

test('drops an expired lease, and keeps a renewed or longer one', async () => {
  const seen = await startLeases();
  const owner = await startOwner('admin-api');
  const renew = () => owner.lease(TOOLS_BUCKET, 'admin-api.renewed', { name: 'renewed' }, 2_000);
  await owner.lease(TOOLS_BUCKET, 'admin-api.long', { name: 'long' }, 60_000);
  await owner.lease(TOOLS_BUCKET, 'admin-api.short', { name: 'short' }, 1_000);
  await renew();
  await eventually(() => [...seen.values()].length === 3);
  await eventually(async () => {
    await renew();
    return seen.get('admin-api.short') === undefined;
  });
  expect([...seen.values()].map(({ name }) => name).sort()).toEqual(['long', 'renewed']);
});

test('drops a released lease at once and leaves no marker for later readers', async () => {
  const seen = await startLeases();
  const owner = await startOwner('admin-api');
  await owner.lease(TOOLS_BUCKET, 'admin-api.1', { name: 'one' }, 60_000);
  await eventually(() => seen.get('admin-api.1') !== undefined);
  await owner.release(TOOLS_BUCKET, 'admin-api.1');
  await eventually(() => seen.get('admin-api.1') === undefined);
  const later = await startLeases();
  await later.ready;
  expect([...later.values()]).toEqual([]);
  await owner.lease(TOOLS_BUCKET, 'admin-api.1', { name: 'again' }, 60_000);
  await eventually(() => later.get('admin-api.1')?.name === 'again');
});

test('fails a put without NATS as temporarily unavailable', async () => {
  await nats.kill();
  const auth = await startAuth();
  const put = auth.get(KeyValue).put(SITES_BUCKET, id(1), site(1));
  await auth.close();
  await expect(put).rejects.toMatchObject({ code: 'temporarily_unavailable' });
  await nats.restart();
});

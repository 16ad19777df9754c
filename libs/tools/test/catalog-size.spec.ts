import { Injectable } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { TOOLS_BUCKET, TOPOLOGY_LIMITS, toolsEntrySchema } from '@lyceum/contracts';
import { BucketValueError, KeyValue, Nats, encodeBucketValue } from '@lyceum/messaging';
import { eventually, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { z } from 'zod';
import { Tool } from '../src/index.js';
import { catalogOf, closeServices, startService } from './service.js';

const ACTIONS = ['list', 'get', 'create', 'update', 'publish', 'archive', 'delete', 'copy', 'move', 'restore'];
const WORDS = 12;
const VOCABULARY = 600;

let nats: TestNats;
let connection: Nats | undefined;

@Injectable()
class Connection {
  constructor(nats: Nats) {
    connection = nats;
  }
}

beforeAll(async () => {
  nats = await testNats();
});
afterEach(closeServices);
afterAll(() => nats.stop());

/** A text of its own for each seed. */
function wordsOf(seed: number): string {
  let state = seed;
  const next = (): number => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31);
  return Array.from({ length: WORDS }, () => `w${(next() % VOCABULARY).toString(36)}`).join(' ');
}

/** A class with ten tools of each resource: the arguments are one resource's own, the results contain the resource. */
function toolsOf(resources: number, members: number): Type {
  class Generated {}
  for (let resource = 0; resource < resources; resource += 1) {
    const shape = Object.fromEntries(
      Array.from({ length: members }, (_, index) => [
        `member_${resource}_${index}`,
        z
          .string()
          .max(100 + index)
          .nullable()
          .describe(wordsOf(resource * members + index)),
      ]),
    );
    for (const action of ACTIONS) {
      const name = `${action}_resource_${resource}`;
      const readOnlyHint = action === 'list' || action === 'get';
      const method = { value: () => Promise.resolve({}) };
      Tool({
        name,
        title: `${action} ${resource}`,
        description: wordsOf(resource),
        audience: 'operator',
        scopes: ['courses:read'],
        input: z.object({ id: z.uuid(), ...(readOnlyHint ? {} : shape) }),
        output: z.object({ resource: z.object(shape) }),
        annotations: { readOnlyHint },
      })(Generated.prototype, name, method);
      Object.defineProperty(Generated.prototype, name, method);
    }
  }
  return Generated;
}

test('publishes and mirrors a catalog of 400 tools', async () => {
  const gateway = await startService({ service: 'mcp-gateway', nats, providers: [], tools: false });
  const catalogs = gateway.get(KeyValue).mirror(TOOLS_BUCKET, toolsEntrySchema);
  await startService({ service: 'admin-api', nats, providers: [toolsOf(40, 11)], tools: true });
  await eventually(() => catalogOf(catalogs, 'admin-api') !== undefined);
  const catalog = catalogOf(catalogs, 'admin-api');
  expect(catalog?.tools).toHaveLength(400);
  // As large as 400 tools of admin-api are, at the mean of its tools.
  expect(JSON.stringify(catalog).length).toBeGreaterThan(1_450_000);
  expect(encodeBucketValue('', catalog).length).toBeLessThan(TOPOLOGY_LIMITS.bucketValueBytes * 0.75);
});

test('refuses to start with a catalog that the bucket does not accept', async () => {
  const providers = [toolsOf(95, 11), Connection];
  const start = startService({ service: 'admin-api', nats, providers, tools: true });
  await expect(start).rejects.toThrow(BucketValueError);
  await expect(start).rejects.toThrow(/^The value of admin-api\.[0-9a-f]{16} has \d+ bytes, and \d+ in its bucket:/);
  // Nothing closes a service that did not start.
  await connection?.drain();
});

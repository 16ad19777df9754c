import { createHash } from 'node:crypto';
import type { Json } from '@lyceum/collections/conventions';
import { Fuzzer, strictDescription } from '@lyceum/collections/fuzz';
import { api, openApi, subjects } from './convention-service.js';
import { builtDocument, description } from './described.js';

const { LYCEUM_FUZZ_SEED, LYCEUM_FUZZ_REQUESTS, LYCEUM_FUZZ_ALL } = process.env;
const DOCUMENT = builtDocument('openapi.json');
/** The same commit sends the same requests. \`npm run test:long -- fuzz\` sends those of other seeds. */
const SEED = Number(LYCEUM_FUZZ_SEED ?? createHash('sha256').update(DOCUMENT).digest().readUInt32BE() >>> 1);
const REQUESTS = Number(LYCEUM_FUZZ_REQUESTS ?? 3_000);
/** From this number on, every operation is expected to accept and to refuse requests. */
const COVERING = 30_000;
/** Milliseconds on a busy machine. */
const LIMIT = Math.max(1_200_000, 20 * REQUESTS);

/**
 * Operations that random requests rarely get to succeed: the bytes of a file have to be uploaded before, an order names
 * exactly the sections of its course, and an object has to be in a state that two other requests lead to.
 */
const RARELY_ACCEPTED = 12;

let close: () => Promise<void>;
let fuzzer: Fuzzer;

beforeAll(async () => {
  const document = JSON.parse(DOCUMENT) as Json;
  close = await openApi(async (service) => {
    const all = subjects.map(([, subject]) => subject);
    fuzzer = await Fuzzer.open({
      service,
      api,
      description: strictDescription(document),
      subjects: all,
      limit: 30_000,
    });
  });
}, LIMIT);
afterAll(async () => {
  fuzzer?.close();
  await close?.();
});

it(
  'answers generated requests as the document says, and changes rows by accepted writes alone',
  async () => {
    process.stderr.write(`LYCEUM_FUZZ_SEED=${SEED}\n`);
    await fuzzer.run(REQUESTS, SEED, LYCEUM_FUZZ_ALL !== undefined);
    expect(fuzzer.sent).toBeGreaterThanOrEqual(REQUESTS);
  },
  LIMIT,
);

const operations = description.operations().map(({ method, path }) => `${method} ${path}`);
/** The operations that returned a status in this range. */
const statusesBetween = (from: number, to: number): string[] =>
  operations.filter((operation) =>
    [...(fuzzer.statuses.get(operation)?.keys() ?? [])].some((status) => status >= from && status < to),
  );

it('sends requests to nearly every operation', () => {
  expect(operations.length).toBeGreaterThan(100);
  expect(statusesBetween(200, 500).length).toBeGreaterThan(0.95 * operations.length);
});

if (REQUESTS >= COVERING)
  it('finds an accepted and a refused request of every operation', () => {
    expect(statusesBetween(400, 500)).toEqual(operations);
    expect(operations.length - statusesBetween(200, 400).length).toBeLessThanOrEqual(RARELY_ACCEPTED);
  });

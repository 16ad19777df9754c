import { randomUUID } from 'node:crypto';
import { ApiError } from '@lyceum/errors';
import { IdempotentCommands } from '@lyceum/rest';
import fc from 'fast-check';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';

/** Each open command has a connection of the pool. */
const MOST_OPEN = 4;

type Move =
  | { readonly kind: 'begin'; readonly key: number; readonly content: number; readonly fails: boolean }
  | { readonly kind: 'end'; readonly which: number };
type Begin = Extract<Move, { kind: 'begin' }>;

interface Open {
  readonly id: number;
  readonly begun: Begin;
  readonly release: () => void;
  readonly outcome: Promise<unknown>;
}

const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('begin' as const),
      key: fc.nat(2),
      content: fc.nat(1),
      fails: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('end' as const), which: fc.nat(MOST_OPEN - 1) }) },
);

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
  await withDatabase(api.databaseUrl, (client) => client.query('create table effects (run uuid, key int, id int)'));
});
afterAll(() => api.stop());

const effectsOf = (run: string): Promise<object[]> =>
  withDatabase(
    api.databaseUrl,
    async (client) =>
      (await client.query<object>('select key, id from effects where run = $1 order by key', [run])).rows,
  );

/** Commands with keys of their own, and a model of what each key remembers. */
class Interleaving {
  readonly run = randomUUID();
  readonly #remembered = new Map<number, { readonly id: number; readonly content: number }>();
  readonly #open: Open[] = [];
  #begun = 0;

  get effects(): object[] {
    return [...this.#remembered].map(([key, { id }]) => ({ key, id })).toSorted((a, b) => a.key - b.key);
  }

  async apply(given: Move): Promise<void> {
    if (given.kind === 'end') await this.#end(given.which);
    else if (this.#open.length < MOST_OPEN) await this.#begin(given);
  }

  async endAll(): Promise<void> {
    while (this.#open.length > 0) await this.#end(0);
  }

  /** Repeats the command of each key that has ended. Its work must not run. */
  async repeatAll(): Promise<void> {
    for (const [key, { content, id }] of this.#remembered)
      expect(
        await this.#send({ kind: 'begin', key, content, fails: false }, () => Promise.resolve({ id: -1 })),
      ).toEqual({ id });
  }

  async #begin(begun: Begin): Promise<void> {
    const id = (this.#begun += 1);
    const { key, content, fails } = begun;
    const [entered, gate] = [Promise.withResolvers<'entered'>(), Promise.withResolvers<void>()];
    const outcome = this.#send(begun, async (tx) => {
      entered.resolve('entered');
      await gate.promise;
      await tx.query('insert into effects (run, key, id) values ($1, $2, $3)', [this.run, key, id]);
      if (fails) throw new ApiError('not_found', 'The work fails');
      return { id };
    });
    const reached = await Promise.race([entered.promise, outcome]);
    const remembered = this.#remembered.get(key);
    if (remembered !== undefined)
      expect(reached).toEqual(remembered.content === content ? { id: remembered.id } : 'idempotency_key_reused');
    else if (this.#open.some((one) => one.begun.key === key)) expect(reached).toBe('idempotency_in_progress');
    else {
      expect(reached).toBe('entered');
      this.#open.push({ id, begun, release: () => gate.resolve(), outcome });
    }
  }

  async #end(which: number): Promise<void> {
    const [ended] = this.#open.splice(which, 1);
    if (ended === undefined) return;
    const { id, begun, release, outcome } = ended;
    release();
    expect(await outcome).toEqual(begun.fails ? 'not_found' : { id });
    if (!begun.fails) this.#remembered.set(begun.key, { id, content: begun.content });
  }

  /** The result of a command, or the code of its refusal. */
  #send({ key, content }: Begin, work: Parameters<IdempotentCommands['run']>[1]): Promise<unknown> {
    const commands = api.service.app.get(IdempotentCommands, { strict: false });
    const command = {
      site_id: api.sites[0].site_id,
      name: 'interleaved',
      key: `${this.run} ${key}`,
      content: { content },
    };
    return commands.run(command, work).catch((error: unknown) => {
      if (error instanceof ApiError) return error.code;
      throw error;
    });
  }
}

it('runs the work of each key once, and remembers its result, under any interleaving', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 4, maxLength: 20 }), async (moves) => {
      const interleaving = new Interleaving();
      for (const given of moves) await interleaving.apply(given);
      await interleaving.endAll();
      await interleaving.repeatAll();
      expect(await effectsOf(interleaving.run)).toEqual(interleaving.effects);
    }),
    { numRuns: 60 },
  );
});

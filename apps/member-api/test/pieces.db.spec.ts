import { curriculumEvents, textEvents } from '@lyceum/contracts';
import type { EventOf } from '@lyceum/messaging';
import { eventually, testDatabase } from '@lyceum/testing';
import type { TestDatabase } from '@lyceum/testing';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { CurriculaRepository } from '#src/curricula/curricula.repository.js';
import { TextsRepository } from '#src/curricula/texts.repository.js';
import { uuid } from './model/numbers.js';
import { lecture, section } from './world.js';

type TextEvent = EventOf<[typeof textEvents]>;
type CurriculumEvent = EventOf<[typeof curriculumEvents]>;

const SITE = uuid(1, 1);
const [FIRST, SECOND] = [uuid(2, 1), uuid(2, 2)];

let database: TestDatabase;
let source: DataSource;

beforeAll(async () => {
  database = await testDatabase('learner');
  source = await new DataSource({ type: 'postgres', url: database.url }).initialize();
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});
afterEach(() => source.query('truncate texts, curricula'));

const text = (owner_id: string, version: number, index: number, count: number): TextEvent =>
  ({
    epoch: 1,
    aggregate_version: version,
    data: { site_id: SITE, owner_id, piece: { index, count }, html: `v${version} ${index}` },
  }) as unknown as TextEvent;

const curriculum = (course_id: string, version: number, index: number, count: number): CurriculumEvent => {
  const sections = [section([lecture(`v${version}-${index}`)])];
  const data = { site_id: SITE, course_id, part_id: null, piece: { index, count }, sections };
  return { epoch: 1, aggregate_version: version, data } as unknown as CurriculumEvent;
};

type Apply<Event> = (events: readonly Event[], tx: EntityManager) => Promise<void>;

const applyTexts: Apply<TextEvent> = (events, tx) => new TextsRepository().apply(events, tx);
const applyCurricula: Apply<CurriculumEvent> = (events, tx) => new CurriculaRepository().apply(events, tx);

/** A replica in the middle of a transaction: before its first statement with `pause`, or before it commits. */
interface Replica {
  /** Resolves when the replica stands there, or waits for a lock of another one. */
  readonly stands: Promise<unknown>;
  readonly resume: () => void;
  readonly end: Promise<void>;
}

function replica<Event>(apply: Apply<Event>, events: readonly Event[], pause?: string): Replica {
  const { promise: resumed, resolve: resume } = Promise.withResolvers<void>();
  let [isPaused, pid] = [false, 0];
  const stop = (): Promise<void> => {
    isPaused = true;
    return resumed;
  };
  const end = source.transaction(async (tx) => {
    [{ pid }] = await tx.query<[{ pid: number }]>('select pg_backend_pid() as pid');
    const query = async (statement: string, values: unknown[]): Promise<unknown> => {
      if (pause !== undefined && statement.includes(pause)) await stop();
      return tx.query(statement, values);
    };
    await apply(events, { query } as unknown as EntityManager);
    if (pause === undefined) await stop();
  });
  end.catch(() => undefined);
  const waits = `select from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'`;
  const stands = eventually(async () => isPaused || (await source.query<unknown[]>(waits, [pid])).length > 0);
  return { stands, resume, end };
}

/** Runs both transactions until each stands, then to their ends. */
async function together(one: () => Replica, other: () => Replica): Promise<void> {
  const earlier = one();
  await earlier.stands;
  const later = other();
  await later.stands;
  earlier.resume();
  later.resume();
  await Promise.all([earlier.end, later.end]);
}

const texts = () =>
  source.query<{ html: string }[]>('select owner_id, piece, html from texts order by owner_id, piece');

describe('a text whose pieces replicas apply at the same time', () => {
  const older = () => replica(applyTexts, [text(FIRST, 1, 2, 3)]);
  const newer = () => replica(applyTexts, [text(FIRST, 2, 0, 1)]);

  it.each([
    ['the older piece first', older, newer],
    ['the newer text first', newer, older],
  ])('keeps the newer version alone: %s', async (_order, one, other) => {
    await applyTexts([text(FIRST, 1, 0, 3), text(FIRST, 1, 1, 3)], source.manager);
    await together(one, other);
    expect(await texts()).toEqual([{ owner_id: FIRST, piece: 0, html: 'v2 0' }]);
  });

  it('keeps all pieces when it is new', async () => {
    await together(
      () => replica(applyTexts, [text(FIRST, 1, 1, 3)]),
      () => replica(applyTexts, [text(FIRST, 1, 2, 3), text(FIRST, 1, 0, 3)]),
    );
    expect((await texts()).map(({ html }) => html)).toEqual(['v1 0', 'v1 1', 'v1 2']);
  });

  it('blocks no replica for good', async () => {
    await applyTexts([text(FIRST, 1, 0, 2), text(FIRST, 1, 1, 2), text(SECOND, 1, 0, 1)], source.manager);
    await together(
      () => replica(applyTexts, [text(FIRST, 2, 0, 1), text(SECOND, 2, 0, 1)], 'delete from texts'),
      () => replica(applyTexts, [text(FIRST, 1, 1, 2), text(SECOND, 1, 0, 1)]),
    );
    expect((await texts()).map(({ html }) => html)).toEqual(['v2 0', 'v2 0']);
  });
});

const lectures = async (course_id: string) => {
  const [row] = await source.query<{ sections: { lectures: { slug: string }[] }[] }[]>(
    'select sections from curricula where course_id = $1',
    [course_id],
  );
  return row?.sections.flatMap((one) => one.lectures.map(({ slug }) => slug));
};

describe('a curriculum whose pieces replicas apply at the same time', () => {
  it('joins them', async () => {
    await together(
      () => replica(applyCurricula, [curriculum(FIRST, 1, 0, 2)]),
      () => replica(applyCurricula, [curriculum(FIRST, 1, 1, 2)]),
    );
    expect(await lectures(FIRST)).toEqual(['v1-0', 'v1-1']);
  });

  it('blocks no replica for good', async () => {
    await together(
      () => replica(applyCurricula, [curriculum(FIRST, 1, 0, 1), curriculum(SECOND, 2, 0, 2)], 'update curricula'),
      () => replica(applyCurricula, [curriculum(FIRST, 2, 0, 2), curriculum(SECOND, 1, 0, 1)]),
    );
    expect([await lectures(FIRST), await lectures(SECOND)]).toEqual([['v1-0'], ['v1-0']]);
  });
});

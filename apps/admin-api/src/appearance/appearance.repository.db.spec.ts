import { randomUUID } from 'node:crypto';
import { openDatabase } from '../../test/open-database.js';
import type { OpenDatabase } from '../../test/open-database.js';
import { commandLine } from '#src/seed/command-line.js';
import { wholeSettings } from './appearance.policy.js';
import { AppearanceRepository } from './appearance.repository.js';
import type { Revision } from './appearance.repository.js';
import { MAX_REVISIONS } from './appearance.schema.js';
import type { RevisionListQuery } from './appearance.schema.js';

let database: OpenDatabase;
let appearances: AppearanceRepository;

beforeAll(async () => {
  database = await openDatabase();
  appearances = new AppearanceRepository(database.sql);
});
afterAll(() => database.close());

const looking = (label: string) => wholeSettings({ footer: [{ label, url: '/' }] });

/** Other settings of the site, as the service writes them. */
function change(site_id: string, label: string): Promise<number> {
  return database.dataSource.transaction(async (tx) => {
    const principal = commandLine(site_id);
    await appearances.lock(tx, principal);
    const saved = await appearances.save(tx, principal, { settings: looking(label), restored_from: null });
    await appearances.forget(tx, saved);
    return saved.version;
  });
}

const revisionsOf = (site_id: string, query: Partial<RevisionListQuery> = {}): Promise<Revision[]> =>
  appearances.revisions({ site_id }, { limit: 100, sort: '-created_at', include_total: false, ...query }, undefined);

const labels = (revisions: readonly Revision[]) => revisions.map(({ settings }) => settings.footer[0]?.label);

describe('an appearance', () => {
  it('starts without a row and adds a version and a revision per change', async () => {
    const site_id = randomUUID();
    expect(await appearances.find({ site_id })).toBeUndefined();
    const locked = await database.dataSource.transaction((tx) => appearances.lock(tx, { site_id }));
    expect(locked).toEqual({ site_id, version: 0, settings: wholeSettings({}), updated_at: null });
    expect([await change(site_id, 'one'), await change(site_id, 'two')]).toEqual([1, 2]);
    expect(await appearances.find({ site_id })).toMatchObject({ version: 2, settings: looking('two') });
    expect(labels(await revisionsOf(site_id))).toEqual(['two', 'one']);
    expect(labels(await revisionsOf(site_id, { sort: 'created_at' }))).toEqual(['one', 'two']);
  });

  it('keeps each of many concurrent changes', async () => {
    const site_id = randomUUID();
    const versions = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((label) => change(site_id, label)));
    expect(versions.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
    const [newest] = await revisionsOf(site_id);
    expect((await appearances.find({ site_id }))?.settings).toEqual(newest?.settings);
  });

  it(`keeps the last ${MAX_REVISIONS} revisions and those of other sites`, async () => {
    const [site_id, other] = [randomUUID(), randomUUID()];
    await change(other, 'theirs');
    for (let n = 1; n <= MAX_REVISIONS; n += 1) await change(site_id, String(n));
    expect(labels(await revisionsOf(site_id)).at(-1)).toBe('1');
    await change(site_id, 'more');
    const kept = labels(await revisionsOf(site_id));
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([MAX_REVISIONS, 'more', '2']);
    expect(labels(await revisionsOf(other))).toEqual(['theirs']);
  });

  it('filters every query by the site', async () => {
    const [site_id, other] = [randomUUID(), randomUUID()];
    await change(site_id, 'ours');
    const [ours] = await revisionsOf(site_id);
    expect(await appearances.find({ site_id: other })).toBeUndefined();
    expect(await revisionsOf(other)).toEqual([]);
    await database.dataSource.transaction(async (tx) => {
      expect(await appearances.revision(tx, { site_id: other }, ours?.id ?? '')).toBeUndefined();
      expect(await appearances.revision(tx, { site_id }, ours?.id ?? '')).toMatchObject({ id: ours?.id });
    });
  });

  it('counts revisions, also without one', async () => {
    const query = { include_total: true };
    const site_id = randomUUID();
    expect(await revisionsOf(site_id, query)).toMatchObject([{ total_count: 0, id: null }]);
    await change(site_id, 'one');
    expect(await revisionsOf(site_id, query)).toMatchObject([{ total_count: 1, settings: looking('one') }]);
  });
});

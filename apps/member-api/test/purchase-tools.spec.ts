import type { Principal, Reply } from '@lyceum/contracts';
import { uuidv7 } from '@lyceum/platform';
import { eventually } from '@lyceum/testing';
import { startMemberApi } from './member-api.js';
import type { TestApi } from './member-api.js';
import { PurchaseWorld, file } from './purchase-world.js';
import { ToolCaller, refusal } from './tool-caller.js';

let api: TestApi;
let tools: ToolCaller;
let world: PurchaseWorld;
let member: { site_id: string; person_id: string };

beforeAll(async () => {
  api = await startMemberApi();
  tools = await ToolCaller.connect(api);
  world = new PurchaseWorld(api.world);
  member = await api.member();
});
afterAll(async () => {
  await tools.close();
  await api.stop();
});

const principal = (changes: Partial<Principal> = {}): Principal => tools.principal(member.person_id, changes);
const call = (name: string, input: object, caller = principal()): Promise<Reply> => tools.call(name, input, caller);
async function resultOf<Result>(name: string, input: object): Promise<Result> {
  const reply = await call(name, input);
  if (!reply.ok) throw new Error(reply.error.detail);
  return reply.result as Result;
}

describe('my_digital_product', () => {
  interface Found {
    readonly files: readonly { readonly name: string; readonly download_url: string | null }[];
    readonly next_cursor: string | null;
  }
  const NAMES = Array.from({ length: 25 }, (_, n) => `chart-${n}.pdf`);
  let grant_id: string;
  beforeAll(async () => {
    const product = await world.product({ site_id: member.site_id, files: NAMES.map(file), download_limit: 9 });
    const grant = await world.grant({ ...member, digital_product_id: product.digital_product_id });
    const list = '{ viewer { digitalProducts { totalCount } } }';
    await api.until(list, ({ viewer }) => viewer?.digitalProducts.totalCount === 1);
    grant_id = `dig_${grant.grant_id}`;
  });

  it('returns all files of a product in pages', async () => {
    const first = await resultOf<Found>('my_digital_product', { grant_id });
    expect(first).toMatchObject({ grant_id, slug: 'chart-pack', state: 'active', download_limit: 9, files_count: 25 });
    for (const { download_url } of first.files) expect(download_url).toContain('/member/downloads?token=');
    const second = await resultOf<Found>('my_digital_product', { grant_id, after: first.next_cursor });
    expect([first.files.length, second.files.length, second.next_cursor]).toEqual([20, 5, null]);
    expect([...first.files, ...second.files].map(({ name }) => name)).toEqual(NAMES);
  });

  it('returns no cursor for a page that ends with the last file', async () => {
    const { files, next_cursor } = await resultOf<Found>('my_digital_product', { grant_id, first: 25 });
    expect([files.length, next_cursor]).toEqual([25, null]);
    const all = await resultOf<{ items: { grant_id: string; files: unknown[] }[] }>('my_digital_products', {});
    expect(all.items).toMatchObject([{ grant_id, files: files.slice(0, 3).map(({ name }) => ({ name })) }]);
  });

  it('returns not_found for products of others, unknown ids and malformed ones', async () => {
    const other = uuidv7();
    await api.world.person({ person_id: other });
    await api.world.role({ person_id: other, site_id: member.site_id });
    const { digital_product_id } = await world.product({ site_id: member.site_id, slug: 'theirs' });
    const theirs = await world.grant({ ...member, person_id: other, digital_product_id });
    const database = await api.connect();
    const text =
      'select from digital_product_grants join digital_products using (digital_product_id) where grant_id = $1';
    await eventually(async () => (await database.query(text, [theirs.grant_id])).rowCount === 1);
    for (const id of [`dig_${theirs.grant_id}`, `dig_${uuidv7()}`, uuidv7(), 'x', grant_id.replace('dig', 'con')]) {
      expect(await call('my_digital_product', { grant_id: id })).toEqual(refusal('not_found'));
    }
  });

  it('refuses sizes beyond 50 and cursors of no file', async () => {
    for (const first of [0, 51]) {
      expect(await call('my_digital_product', { grant_id, first })).toEqual(refusal('validation_failed'));
    }
    expect(await call('my_digital_product', { grant_id, after: uuidv7() })).toEqual(refusal('invalid_cursor'));
  });
});

describe('my_consulting_services', () => {
  const at = (day: string) => ({ starts_at: `${day}T10:00:00.000Z`, ends_at: `${day}T11:00:00.000Z` });
  interface Booking {
    readonly state: string;
    readonly starts_at: string;
  }

  type Session = readonly [day: string, state: 'scheduled' | 'completed' | 'canceled'];

  /** Books sessions of a new service. Returns the days and states that the tool shows, and the number of the others. */
  async function shown(slug: string, sessions: readonly Session[]) {
    const { consulting_service_id } = await world.service({ site_id: member.site_id, slug });
    const { purchase_id } = await world.purchase({ ...member, consulting_service_id });
    const booked = { ...member, consulting_service_id, purchase_id };
    for (const [day, state] of sessions) await world.booking({ ...booked, ...at(day), state });
    const list = `{ viewer { consultingService(slug: "${slug}") { bookings { totalCount } } } }`;
    await api.until(list, ({ viewer }) => viewer.consultingService?.bookings.totalCount === sessions.length);
    const { items } = await resultOf<{
      items: { slug: string; bookings: Booking[]; bookings_left_off: number }[];
    }>('my_consulting_services', {});
    const found = items.find((one) => one.slug === slug);
    const days = found?.bookings.map(({ starts_at, state }) => `${starts_at.slice(0, 10)} ${state}`);
    return { days, left_off: found?.bookings_left_off };
  }

  it('lists the sessions to come, the next one first, and counts the others', async () => {
    const sessions = [
      ['2090-03-01', 'scheduled'],
      ['2090-03-29', 'scheduled'],
      ['2090-03-15', 'scheduled'],
      ['2090-03-08', 'scheduled'],
      ['2090-03-22', 'scheduled'],
      ['2090-04-05', 'canceled'],
      ['2020-03-01', 'completed'],
    ] as const;
    expect(await shown('weekly', sessions)).toEqual({
      days: ['2090-03-01 scheduled', '2090-03-08 scheduled', '2090-03-15 scheduled'],
      left_off: 4,
    });
  });

  it('lists the latest of the others after the sessions to come', async () => {
    const sessions = [
      ['2020-03-01', 'completed'],
      ['2020-03-08', 'completed'],
      ['2020-03-15', 'scheduled'],
      ['2090-03-08', 'scheduled'],
    ] as const;
    expect(await shown('monthly', sessions)).toEqual({
      days: ['2090-03-08 scheduled', '2020-03-15 scheduled', '2020-03-08 completed'],
      left_off: 1,
    });
  });

  it('lists no session of a service without bookings', async () => {
    expect(await shown('unused', [])).toEqual({ days: [], left_off: 0 });
  });
});

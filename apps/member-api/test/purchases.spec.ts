import { uuidv7 } from '@lyceum/platform';
import { startMemberApi } from './member-api.js';
import type { Data, TestApi } from './member-api.js';
import { PurchaseWorld } from './purchase-world.js';

let api: TestApi;
let world: PurchaseWorld;
let member: { site_id: string; person_id: string };

beforeAll(async () => {
  api = await startMemberApi();
  world = new PurchaseWorld(api.world);
  member = await api.member();
});
afterAll(() => api.stop());

const PRODUCTS = `{ viewer { digitalProducts { totalCount nodes {
  id productId slug name descriptionHtml imageUrl purchasedAt expireDate hasLifetimeAccess state downloadCount downloadLimit
  files { id name contentType sizeBytes downloadUrl }
} } } }`;
const SERVICES = `query ($first: Int, $after: String) { viewer { consultingServices { totalCount nodes {
  id serviceId slug name lecturer { id name } timezone purchasedAt expireDate sessionsTotal sessionsUsed sessionsRemaining
  bookings(first: $first, after: $after) {
    totalCount nodes { id startsAt endsAt state joinUrl } pageInfo { hasNextPage endCursor }
  }
} } } }`;
const REGISTRATIONS = `{ viewer { eventRegistrations { totalCount nodes {
  id eventId slug name imageUrl url startsAt endsAt timezone hostingType location joinUrl ticketId ticketName state registeredAt
  checkedInAt canceledAt
} } } }`;

const nodes = (list: string) => (data: Data) => (data.viewer?.[list]?.nodes ?? []) as Data[];
const products = nodes('digitalProducts');
const services = nodes('consultingServices');
const registrations = nodes('eventRegistrations');

describe('the digital products of a member', () => {
  it('shows a product with every field after product and grant arrive in any order', async () => {
    const digital_product_id = uuidv7();
    const grant = await world.grant({ ...member, digital_product_id });
    const product = await world.product({ site_id: member.site_id, digital_product_id, download_limit: 3 });
    const data = await api.until(PRODUCTS, (given) => products(given).length === 1);
    expect(data.viewer.digitalProducts).toEqual({
      totalCount: 1,
      nodes: [
        {
          id: `dig_${grant.grant_id}`,
          productId: digital_product_id,
          slug: 'chart-pack',
          name: 'Chart Pack',
          descriptionHtml: 'Ten charts',
          imageUrl: null,
          purchasedAt: '2026-03-04T05:06:07.000Z',
          expireDate: null,
          hasLifetimeAccess: true,
          state: 'ACTIVE',
          downloadCount: 0,
          downloadLimit: 3,
          files: [
            {
              id: product.files[0]?.file_id,
              name: 'north.pdf',
              contentType: 'application/pdf',
              sizeBytes: 5_000_000_000,
              downloadUrl: expect.stringContaining(`${api.sites[0].base_url}/member/downloads?token=`),
            },
          ],
        },
      ],
    });
  });

  it('expires a product without a link after its end, in any state of the grant', async () => {
    const { digital_product_id } = await world.product({ site_id: member.site_id, slug: 'old' });
    await world.grant({ ...member, digital_product_id, expires_at: '2020-01-01T00:00:00.000Z' });
    const data = await api.until(PRODUCTS, (given) => products(given).some(({ slug }) => slug === 'old'));
    expect(products(data).find(({ slug }) => slug === 'old')).toMatchObject({
      state: 'EXPIRED',
      hasLifetimeAccess: false,
      files: [{ downloadUrl: null }],
    });
  });

  it('hides revoked and deleted products, those of another site, and those of an unlinked student', async () => {
    const { digital_product_id } = await world.product({ site_id: member.site_id, slug: 'later' });
    const grant = await world.grant({ ...member, person_id: null, digital_product_id });
    const other = await world.product({ site_id: api.sites[1].site_id, slug: 'elsewhere' });
    await world.grant({ ...member, digital_product_id: other.digital_product_id });
    const linked = { ...grant, person_id: member.person_id };
    await world.grant(linked, { version: 2, name: 'linked' });
    await api.until(PRODUCTS, (given) => products(given).some(({ slug }) => slug === 'later'));
    await world.grant({ ...linked, state: 'revoked' }, { version: 4, name: 'revoked' });
    await world.grant(linked, { version: 3 });
    const data = await api.until(PRODUCTS, (given) => products(given).every(({ slug }) => slug !== 'later'));
    expect(products(data).map(({ slug }) => slug)).not.toContain('elsewhere');
  });
});

describe('the consulting services of a member', () => {
  it('returns services with sessions and pages of bookings', async () => {
    const service = await world.service({ site_id: member.site_id });
    const { consulting_service_id } = service;
    const purchase = await world.purchase({ ...member, consulting_service_id, sessions_used: 7 });
    const { purchase_id } = purchase;
    const booked = { ...member, consulting_service_id, purchase_id };
    await world.booking({ ...booked, starts_at: '2027-01-02T10:00:00.000Z', ends_at: '2027-01-02T11:00:00.000Z' });
    await world.booking({ ...booked, starts_at: '2026-01-02T10:00:00.000Z', state: 'completed' });
    await world.booking({ ...booked, starts_at: '2025-01-02T10:00:00.000Z', state: 'canceled' });
    await world.booking({ ...booked, person_id: uuidv7(), starts_at: '2024-01-02T10:00:00.000Z' });
    await world.booking({ ...booked, site_id: api.sites[1].site_id, starts_at: '2024-01-02T10:00:00.000Z' });
    const data = await api.until(SERVICES, (given) => services(given)[0]?.bookings.totalCount === 3, {
      variables: { first: 2 },
    });
    const [node] = services(data);
    expect(node).toEqual({
      id: `con_${purchase_id}`,
      serviceId: consulting_service_id,
      slug: 'passage-planning',
      name: 'Passage Planning',
      lecturer: { id: service.lecturer?.lecturer_id, name: 'The Pilot' },
      timezone: 'Europe/Lisbon',
      purchasedAt: '2026-03-04T05:06:07.000Z',
      expireDate: null,
      sessionsTotal: 5,
      sessionsUsed: 7,
      sessionsRemaining: 0,
      bookings: {
        totalCount: 3,
        nodes: [
          {
            id: expect.any(String),
            startsAt: '2027-01-02T10:00:00.000Z',
            endsAt: '2027-01-02T11:00:00.000Z',
            state: 'SCHEDULED',
            joinUrl: 'https://meet.example/pilot',
          },
          expect.objectContaining({ state: 'COMPLETED', joinUrl: null }),
        ],
        pageInfo: { hasNextPage: true, endCursor: expect.any(String) },
      },
    });
    const next = await api.query(SERVICES, { variables: { first: 2, after: node.bookings.pageInfo.endCursor } });
    expect(services(next.body.data)[0].bookings).toMatchObject({
      nodes: [{ state: 'CANCELED', joinUrl: null }],
      pageInfo: { hasNextPage: false },
    });
  });

  it('reports an invalid size or cursor of bookings at its path', async () => {
    const good = '{ viewer { consultingServices { nodes { a: bookings(first: 101) { nodes { id } } name } } } }';
    const { body } = await api.query(good);
    expect(body.data).toEqual({ viewer: { consultingServices: { nodes: [{ a: null, name: 'Passage Planning' }] } } });
    expect(body.errors).toMatchObject([
      { path: ['viewer', 'consultingServices', 'nodes', 0, 'a'], extensions: { code: 'FIRST_OUT_OF_RANGE' } },
    ]);
    const foreign = await api.query(SERVICES, { variables: { after: 'nothing' } });
    expect(foreign.body.errors).toMatchObject([{ extensions: { code: 'INVALID_CURSOR' } }]);
    expect(foreign.body.data.viewer.consultingServices.totalCount).toBe(1);
  });

  it('returns services when another part of the query fails', async () => {
    const query = `{ viewer { bad: notifications(first: 0) { nodes { id } }
      consultingServices { edges { node { b: bookings(last: 1) { edges { cursor node { s: state } } } } } } } }`;
    const { body } = await api.query(query);
    expect(body.errors).toHaveLength(1);
    expect(body.data.viewer).toEqual({
      bad: null,
      consultingServices: {
        edges: [{ node: { b: { edges: [{ cursor: expect.any(String), node: { s: 'CANCELED' } }] } } }],
      },
    });
  });
});

describe('the event registrations of a member', () => {
  it('returns the join URL only while the member is registered, and the current name of the ticket', async () => {
    const event = await world.event({ site_id: member.site_id });
    const registration = await world.registration({ ...member, event_id: event.event_id });
    const data = await api.until(REGISTRATIONS, (given) => registrations(given).length === 1);
    expect(data.viewer.eventRegistrations).toEqual({
      totalCount: 1,
      nodes: [
        {
          id: `reg_${registration.registration_id}`,
          eventId: event.event_id,
          slug: 'harbour-day',
          name: 'Harbour Day',
          imageUrl: null,
          url: `${api.sites[0].base_url}/events/harbour-day`,
          startsAt: '2027-02-03T10:00:00.000Z',
          endsAt: '2027-02-03T12:00:00.000Z',
          timezone: 'Europe/Lisbon',
          hostingType: 'LIVE_SESSION',
          location: null,
          joinUrl: 'https://meet.example/harbour',
          ticketId: registration.ticket_id,
          ticketName: 'Standard',
          state: 'REGISTERED',
          registeredAt: '2026-03-04T05:06:07.000Z',
          checkedInAt: null,
          canceledAt: null,
        },
      ],
    });
    const tickets = [{ ticket_id: registration.ticket_id ?? '', name: 'Early bird' }];
    await world.event({ ...event, tickets }, { version: 2, name: 'updated' });
    await api.until(REGISTRATIONS, (given) => registrations(given)[0]?.ticketName === 'Early bird');
    const canceled_at = '2026-05-06T07:08:09.000Z';
    await world.registration({ ...registration, state: 'canceled', canceled_at }, { version: 2, name: 'canceled' });
    const after = await api.until(REGISTRATIONS, (given) => registrations(given)[0]?.state === 'CANCELED');
    expect(registrations(after)).toMatchObject([{ joinUrl: null, canceledAt: '2026-05-06T07:08:09.000Z' }]);
  });

  it('cancels registrations with their event, and hides them after its deletion', async () => {
    const event = await world.event({ site_id: member.site_id, slug: 'storm' });
    await world.registration({ ...member, event_id: event.event_id });
    await api.until(REGISTRATIONS, (given) => registrations(given).some(({ slug }) => slug === 'storm'));
    await world.event({ ...event, state: 'canceled' }, { version: 2, name: 'canceled' });
    const isOff = ({ slug, state, joinUrl }: Data) => slug === 'storm' && state === 'CANCELED' && joinUrl === null;
    await api.until(REGISTRATIONS, (given) => registrations(given).some(isOff));
    await world.event({ ...event, state: 'deleted' }, { version: 3, name: 'deleted' });
    const data = await api.until(REGISTRATIONS, (given) => registrations(given).every(({ slug }) => slug !== 'storm'));
    expect(registrations(data).map(({ slug }) => slug)).toEqual(['harbour-day']);
  });
});

describe('a suspended member', () => {
  it('hides all purchases of a suspended member', async () => {
    await api.world.person({ person_id: member.person_id, state: 'suspended' }, { version: 2, name: 'suspended' });
    await api.until(REGISTRATIONS, ({ viewer }) => viewer === null);
    for (const query of [PRODUCTS, SERVICES]) expect((await api.query(query)).body.data).toEqual({ viewer: null });
  });
});

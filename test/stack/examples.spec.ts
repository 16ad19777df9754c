import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { send } from '../clients/http.js';
import { api, ownerToken } from './demo-school.js';
import { differences, nearest, textsOf } from './likeness.js';
import type { JsonObject } from './likeness.js';

type Examples = Readonly<Record<string, { readonly value: JsonObject }>>;
interface Media {
  readonly examples?: Readonly<Record<string, unknown>>;
}
interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          { readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>> }
        >
      >
    >
  >;
  readonly components: { readonly examples: Examples };
}

const { paths, components } = JSON.parse(readFileSync(join(__dirname, '../../dist/openapi.json'), 'utf8')) as Document;

/** The objects that the demo has none of: an owner makes them with own addresses and files. */
const NOT_IN_DEMO = ['Export', 'Import', 'Upload', 'WebhookDelivery', 'WebhookEndpoint'];

async function readOne(path: string): Promise<JsonObject> {
  const { status, body } = await send<JsonObject>(`${api}${path}`, { token: await ownerToken() });
  expect([path, status]).toEqual([path, 200]);
  return body;
}

interface Listed extends JsonObject {
  readonly id: string;
}

const idOf = async (path: string): Promise<string> => {
  const { data } = await readOne(path);
  const [first] = data as readonly Listed[];
  expect([path, typeof first?.id]).toEqual([path, 'string']);
  return first!.id;
};

/** The objects of a list, or one object. The only object of a list comes from its own address, with all details. */
async function objectsAt(path: string): Promise<readonly JsonObject[]> {
  const body = await readOne(path);
  const list = body['data'] as readonly Listed[] | undefined;
  if (list === undefined) return [body];
  const [only, ...others] = list;
  const [collection] = path.split('?');
  return only === undefined || others.length > 0 ? list : [await readOne(`${collection}/${only.id}`)];
}

const COURSE = '/courses?external_id=celestial-navigation';
const PRODUCT = '/digital_products?external_id=workbook';
const EVENT = '/events?external_id=open-evening';
const SERVICE = '/consulting_services?external_id=one-to-one';
const PAGE = '/pages?external_id=about';
const FORM = '/forms?external_id=form-contact';
const below = (parent: string, part: string) => async (): Promise<string> => {
  const [collection] = parent.split('?');
  return `${collection}/${await idOf(parent)}${part}`;
};

/** Where the demo has objects of each kind. */
const ADDRESSES: Readonly<Record<string, string | (() => Promise<string>)>> = {
  ActivityList: '/activity?action=course.published&limit=100',
  AnalyticsAttendance: '/analytics/attendance?granularity=month',
  AnalyticsFunnel: '/analytics/funnel?granularity=month',
  AnalyticsMemberships: '/analytics/memberships?granularity=month',
  AnalyticsOverview: '/analytics/overview?granularity=month',
  AnalyticsRevenue: '/analytics/revenue?granularity=month',
  Announcement: '/announcements?external_id=announcement-holiday',
  Appearance: '/appearance',
  AppearanceRevisionList: '/appearance/revisions?limit=100',
  Category: '/categories?external_id=category-navigation',
  ChangeList: '/changes?type=course.published&limit=100',
  Comment: '/comments?limit=100',
  ConsultingBooking: async () => {
    const slots = await below(SERVICE, '/slots')();
    return `/slots/${await idOf(`${slots}?external_id=one-to-one-1`)}/bookings`;
  },
  ConsultingPurchase: below(SERVICE, '/purchases'),
  ConsultingService: SERVICE,
  ConsultingSlot: below(SERVICE, '/slots'),
  Coupon: '/coupons?external_id=coupon-welcome',
  CouponRedemption: '/coupon_redemptions?limit=100',
  Course: COURSE,
  CoursePlan: '/course_plans?external_id=celestial-navigation-year',
  CourseReview: below(COURSE, '/reviews'),
  Curriculum: below(COURSE, '/curriculum'),
  DigitalProduct: PRODUCT,
  DigitalProductPurchase: below(PRODUCT, '/purchases'),
  Enrollment: '/enrollments?limit=100',
  Event: EVENT,
  EventRegistration: below(EVENT, '/registrations'),
  EventTicket: below(EVENT, '/tickets'),
  Form: FORM,
  FormSubmission: below(FORM, '/submissions'),
  Lecture: '/lectures?external_id=celestial-navigation-the-sky-as-a-map',
  Lecturer: '/lecturers?slug=lecturer',
  Member: '/members?q=student@harbour.example',
  MembershipPlan: '/membership_plans?external_id=all-courses',
  Order: '/orders?number=harbour-1002',
  Page: PAGE,
  PageDeployment: below(PAGE, '/deployments'),
  Post: '/posts?external_id=post-welcome',
  Progress: below('/students?external_id=learner-2', '/progress'),
  School: '/school',
  Section: '/sections?external_id=celestial-navigation-1',
  Student: '/students?external_id=learner-1',
  Subscription: '/subscriptions?limit=100',
};

/** The examples of all responses to reads. A list shows the object that has an example of its own. */
function readExamples(): string[] {
  const names = Object.values(paths).flatMap(({ get }) => {
    const [media] = Object.values(get?.responses['200']?.content ?? {});
    return Object.keys(media?.examples ?? {});
  });
  const objects = names.map((name) =>
    components.examples[name.replace(/List$/, '')] ? name.replace(/List$/, '') : name,
  );
  return [...new Set(objects)].toSorted();
}

/** The object of an example: a list shows one. */
function objectOf(name: string): JsonObject {
  const { value } = components.examples[name]!;
  const [first] = (value['data'] ?? []) as readonly JsonObject[];
  return first ?? value;
}

describe('an example of the reference', () => {
  const seen: JsonObject[] = [];

  it('finds a place in the demo for each response to a read', () => {
    expect(readExamples()).toEqual([...Object.keys(ADDRESSES), ...NOT_IN_DEMO].toSorted());
  });

  it.each(Object.keys(ADDRESSES))(
    'shows an object of the demo, with its words, members and prices: %s',
    async (name) => {
      const address = ADDRESSES[name]!;
      const found = await objectsAt(typeof address === 'string' ? address : await address());
      // Another suite on this stack adds a field of members, of which the demo has none.
      const objects = found.map((one) => ('member_fields' in one ? { ...one, member_fields: [] } : one));
      seen.push(...objects);
      expect(nearest(objectOf(name), objects, name)).toEqual([]);
    },
  );

  it('shows no person but those of the demo', () => {
    const emails = (texts: readonly string[]) => texts.filter((text) => /^\S+@\S+\.\S+$/.test(text));
    const known = new Set(emails(seen.flatMap(textsOf)));
    const shown = emails(Object.values(components.examples).flatMap(({ value }) => textsOf(value)));
    expect(shown.length).toBeGreaterThan(5);
    expect(shown.filter((email) => !known.has(email))).toEqual([]);
  });

  it('differs from an object with another word, another price or one more member', () => {
    const object = { name: 'Knots', price: { amount_minor: 1 }, tags: ['a'], url: 'https://a.example', at: null };
    expect(differences(object, { ...object, url: 'https://b.example', at: '2026-01-01', tags: [] })).toEqual([]);
    expect(differences(object, { ...object, name: 'Bends' })).toEqual(['.name: Knots, in the demo Bends']);
    expect(differences(object, { ...object, price: { amount_minor: 2 } })).toEqual([
      '.price.amount_minor: 1, in the demo 2',
    ]);
    expect(differences(object, { ...object, tags: ['b'] })).toEqual(['.tags[]: a, in the demo b']);
    expect(differences(object, { ...object, state: 'open' })).toEqual(['.state is missing']);
    expect(nearest(object, [])).toEqual([' is not in the demo']);
  });
});

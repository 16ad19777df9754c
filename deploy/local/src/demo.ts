import type { Role } from '@lyceum/contracts';
import { type DemoCategory, type DemoPlan, demoCategories, demoCategoriesOf, demoPlans } from './demo-catalog.js';
import { type DemoCommunity, demoCommunity } from './demo-community.js';
import { type DemoClient, demoClients } from './demo-clients.js';
import { type DemoConsulting, demoConsulting } from './demo-consulting.js';
import { DemoDay } from './demo-day.js';
import { type DemoEvent, demoEvents } from './demo-events.js';
import { demoCurriculum, type DemoSection } from './demo-curricula.js';
import { type DemoMembershipPlan, demoMembershipPlans } from './demo-membership-plans.js';
import { type DemoOrder, demoOrders } from './demo-orders.js';
import { type DemoPage, demoPages } from './demo-pages.js';
import { type DemoProduct, demoProducts } from './demo-products.js';
import { type DemoProgress, demoProgress } from './demo-progress.js';
import { type DemoReview, demoReviews } from './demo-reviews.js';
import { type DemoSchool, demoSchool } from './demo-school.js';
import type { DemoClass, DemoStudent } from './demo-students.js';

export interface DemoPerson {
  readonly email: string;
  readonly password: string;
  readonly name: string;
  readonly roles: readonly Role[];
}

export interface DemoCourse {
  readonly slug: string;
  readonly name: string;
  readonly subtitle?: string;
  readonly state: 'published' | 'draft';
  /** Slugs of those who teach it. */
  readonly lecturers?: readonly string[];
  readonly curriculum?: readonly DemoSection[];
  /** Slugs of categories. */
  readonly categories?: readonly string[];
  readonly plans?: readonly DemoPlan[];
  /** Id in the storefront. */
  readonly external_id: string;
}

/** The part of a site that auth has. */
interface DemoIdentity {
  readonly base_url: string;
  readonly name: string;
  readonly slug: string;
  readonly org_id?: string;
  readonly people: readonly DemoPerson[];
  readonly clients: readonly DemoClient[];
}

export interface DemoSite extends DemoIdentity {
  readonly categories: readonly DemoCategory[];
  readonly courses: readonly DemoCourse[];
  readonly students: readonly DemoStudent[];
  readonly classes: readonly DemoClass[];
  readonly membership_plans: readonly DemoMembershipPlan[];
  readonly offers: DemoSchool;
  readonly consulting: readonly DemoConsulting[];
  readonly products: readonly DemoProduct[];
  readonly pages: readonly DemoPage[];
  /** Orders that the checkout of the storefront records. */
  readonly orders: readonly DemoOrder[];
  readonly events: readonly DemoEvent[];
  /** Progress that the storefront reports. */
  readonly progress: readonly DemoProgress[];
  /** Reviews that the storefront posts. */
  readonly reviews: readonly DemoReview[];
  readonly community: DemoCommunity;
}

export interface DemoDefinition {
  readonly sites: readonly DemoSite[];
}

/** Own keys of the students, as the import of the school has them. */
const LEARNERS = ['learner-1', 'learner-2'] as const;

/**
 * Passwords and client secrets that can be read and typed: everything listens on the loopback address only, and the
 * same facts must hold in documents and tests. Never for a deployment.
 */
const PASSWORD = 'correct-horse-battery';

/** A site with a custom appearance. The other site has the default one. */
const HARBOUR: Naming = {
  name: 'Harbour School',
  slug: 'harbour',
  subject: 'seamanship',
  appearance: {
    theme: {
      background_color: '#dfe9ee',
      surface_color: '#fbfdfe',
      text_color: '#12263a',
      accent_color: '#0b5c86',
      font_family: 'serif',
      corners: 'small',
    },
  },
};

const ORCHARD: Naming = { name: 'Orchard Academy', slug: 'orchard', subject: 'fruit growing' };

/**
 * Two sites on one edge. They are two origins, so a token of one is nothing at the other.
 *
 * @param day The day on which the demo is made
 */
export function demoDefinition(edgePort: number, day = DemoDay.today()): DemoDefinition {
  return {
    sites: [
      demoSite(day, { ...HARBOUR, base_url: `http://localhost:${edgePort}` }, [
        {
          slug: 'celestial-navigation',
          name: 'Celestial Navigation',
          subtitle: 'Find your place by the stars',
          state: 'published',
        },
        { slug: 'knots-and-splices', name: 'Knots and Splices', subtitle: 'Forty knots that hold', state: 'published' },
        { slug: 'weather-at-sea', name: 'Weather at Sea', state: 'published' },
        { slug: 'night-sailing', name: 'Night Sailing', subtitle: 'Not ready yet', state: 'draft' },
      ]),
      demoSite(day, { ...ORCHARD, base_url: `http://127.0.0.1:${edgePort}` }, [
        { slug: 'grafting', name: 'Grafting', subtitle: 'One tree, five apples', state: 'published' },
        { slug: 'soil-science', name: 'Soil Science', state: 'published' },
        { slug: 'pruning-in-winter', name: 'Pruning in Winter', state: 'draft' },
      ]),
    ],
  };
}

interface Naming {
  readonly name: string;
  readonly slug: string;
  /** The courses. */
  readonly subject: string;
  readonly appearance?: object;
}

function demoSite(
  day: DemoDay,
  naming: Naming & { readonly base_url: string },
  outlines: readonly Omit<DemoCourse, 'external_id'>[],
): DemoSite {
  const { base_url, name, slug } = naming;
  const person = (part: string, title: string, ...roles: Role[]): DemoPerson => ({
    email: `${part}@${slug}.example`,
    password: PASSWORD,
    name: `${name} ${title}`,
    roles,
  });
  const ownStudent = person('student', 'Student', 'student');
  const bothStudent = {
    email: 'student@both.example',
    password: PASSWORD,
    name: 'Student of Both Sites',
    roles: ['student'],
  } as const;
  const courses = outlines.map((course, index) => ({
    ...course,
    external_id: course.slug,
    curriculum: demoCurriculum(course.slug),
    categories: demoCategoriesOf(slug, course.slug),
    ...(index === 0 ? { lecturers: ['lecturer'] } : {}),
    ...(index < 2 ? { plans: demoPlans(course.slug) } : {}),
  }));
  const [first, second] = courses;
  if (first === undefined || second === undefined) throw new Error(`${name} has too few courses`);
  const consulting = demoConsulting(LEARNERS[0], day);
  return {
    base_url,
    name,
    slug,
    people: [
      person('owner', 'Owner', 'owner'),
      person('admin', 'Admin', 'admin'),
      person('lecturer', 'Lecturer', 'lecturer'),
      ownStudent,
      bothStudent,
    ],
    clients: demoClients(slug),
    categories: demoCategories(slug),
    courses,
    students: [
      {
        email: ownStudent.email,
        name: ownStudent.name,
        external_id: LEARNERS[0],
        enrollments: [
          { course: first.slug, plan: demoPlans(first.slug)[0].external_id },
          { course: second.slug, plan: demoPlans(second.slug)[1].external_id },
        ],
      },
      {
        email: bothStudent.email,
        name: bothStudent.name,
        external_id: LEARNERS[1],
        enrollments: [{ course: first.slug }],
      },
    ],
    classes: [],
    membership_plans: demoMembershipPlans(
      courses.filter((course) => course.state === 'published').map((course) => course.slug),
    ),
    offers: demoSchool(naming),
    consulting,
    products: demoProducts(naming, LEARNERS[0]),
    pages: demoPages(naming),
    events: demoEvents(LEARNERS, day),
    orders: demoOrders(slug, LEARNERS, { courses: [first, second], consulting, day }),
    progress: demoProgress(LEARNERS, first, day),
    reviews: demoReviews(LEARNERS, first.external_id, day),
    community: demoCommunity(LEARNERS, first, day),
  };
}

/** Input of `auth apply`: the sites with their people and clients. */
export function identitySeed(demo: DemoDefinition): { readonly sites: readonly DemoIdentity[] } {
  return {
    sites: demo.sites.map(({ base_url, name, slug, org_id, people, clients }) => ({
      base_url,
      name,
      slug,
      ...(org_id === undefined ? {} : { org_id }),
      people,
      clients,
    })),
  };
}

/** Output of `auth apply` for a site: the definition with the assigned ids. */
export interface AppliedSite extends Omit<DemoIdentity, 'people' | 'org_id'> {
  readonly site_id: string;
  readonly org_id: string;
  readonly people: readonly (DemoPerson & { readonly person_id: string; readonly member_id: string })[];
}

/** Input of `admin-api apply`: the profile and lecturers of each school. */
export function schoolSeed(demo: DemoDefinition, applied: readonly AppliedSite[]): unknown {
  return {
    sites: demo.sites.map(({ base_url, offers }) => {
      const site = applied.find((one) => one.base_url === base_url);
      return { site_id: site?.site_id, ...offers };
    }),
  };
}

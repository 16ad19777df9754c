import { MEMBER_SCOPES, OPERATOR_SCOPES, type Role } from '@lyceum/contracts';
import { demoCurriculum, type DemoSection } from './demo-curricula.js';
import { type DemoPurchases, demoPurchases } from './demo-purchases.js';
import { type DemoProgress, demoProgress } from './demo-progress.js';
import { type DemoSchool, demoSchool } from './demo-school.js';

export interface DemoPerson {
  readonly email: string;
  readonly password: string;
  readonly name: string;
  readonly roles: readonly Role[];
}

export interface DemoClient {
  readonly client_id: string;
  /** Only of a confidential client. */
  readonly client_secret?: string;
  readonly name: string;
  readonly audience: 'member' | 'operator';
  readonly redirect_uris: readonly string[];
  readonly scopes: readonly string[];
}

export interface DemoCourse {
  readonly slug: string;
  readonly name: string;
  readonly subtitle?: string;
  readonly state: 'published' | 'draft';
  /** Slugs of those who teach it. */
  readonly lecturers?: readonly string[];
  readonly curriculum?: readonly DemoSection[];
  /** Id in the storefront. */
  readonly external_id: string;
}

export interface DemoStudent {
  readonly email: string;
  readonly name: string;
  /** Id in the storefront. */
  readonly external_id: string;
  /** Slugs of courses. */
  readonly enrollments: readonly string[];
}

export interface DemoSite {
  readonly base_url: string;
  readonly name: string;
  readonly slug: string;
  readonly org_id?: string;
  readonly people: readonly DemoPerson[];
  readonly clients: readonly DemoClient[];
  readonly courses: readonly DemoCourse[];
  readonly students: readonly DemoStudent[];
  readonly offers: DemoSchool;
  readonly holdings: DemoPurchases;
  /** Progress that the storefront reports. */
  readonly progress: readonly DemoProgress[];
}

export interface DemoDefinition {
  readonly sites: readonly DemoSite[];
}

const REDIRECT_URIS = ['http://127.0.0.1:7777/callback'];
const IDENTITY = ['openid', 'profile', 'email'];

/**
 * Passwords and client secrets that can be read and typed: everything listens on the loopback address only, and the
 * same facts must hold in documents and tests. Never for a deployment.
 */
const PASSWORD = 'correct-horse-battery';

/** How the id of the client ends that imports the demo. */
export const IMPORT_SUFFIX = '-import';

/** It has a custom appearance. The other site has the default one. */
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

/** Two sites on one edge. They are two origins, so a token of one is nothing at the other. */
export function demoDefinition(edgePort: number): DemoDefinition {
  return {
    sites: [
      demoSite(`http://localhost:${edgePort}`, HARBOUR, [
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
      demoSite(`http://127.0.0.1:${edgePort}`, { name: 'Orchard Academy', slug: 'orchard', subject: 'fruit growing' }, [
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

function demoSite(base_url: string, naming: Naming, outlines: readonly Omit<DemoCourse, 'external_id'>[]): DemoSite {
  const { name, slug } = naming;
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
    ...(index === 0 ? { lecturers: ['lecturer'] } : {}),
  }));
  const [first, second] = courses;
  if (first === undefined || second === undefined) throw new Error(`${name} has too few courses`);
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
    clients: [
      ...(['member', 'operator'] as const).flatMap((audience) => demoClients(slug, audience)),
      importClient(slug),
    ],
    courses,
    students: [
      {
        email: ownStudent.email,
        name: ownStudent.name,
        external_id: 'learner-1',
        enrollments: [first.slug, second.slug],
      },
      { email: bothStudent.email, name: bothStudent.name, external_id: 'learner-2', enrollments: [first.slug] },
    ],
    offers: demoSchool(
      { base_url, ...naming },
      courses.filter((course) => course.state === 'published').map((course) => course.slug),
    ),
    holdings: demoPurchases(base_url, name, ownStudent.email),
    progress: demoProgress(['learner-1', 'learner-2'], first),
  };
}

function demoClients(slug: string, audience: 'member' | 'operator'): DemoClient[] {
  const scopes = [...IDENTITY, ...(audience === 'member' ? MEMBER_SCOPES : OPERATOR_SCOPES)];
  const client = { audience, redirect_uris: REDIRECT_URIS, scopes };
  return [
    { ...client, client_id: `${slug}-${audience}-app`, name: `Demo ${audience} app` },
    {
      ...client,
      client_id: `${slug}-${audience}-server`,
      client_secret: `${slug}-${audience}-secret-for-loopback-only`,
      name: `Demo ${audience} server`,
    },
  ];
}

/** The program of the school that imports its courses, curricula, students and enrollments. */
function importClient(slug: string): DemoClient {
  return {
    client_id: `${slug}${IMPORT_SUFFIX}`,
    client_secret: `${slug}-import-secret-for-loopback-only`,
    name: 'Demo import',
    audience: 'operator',
    redirect_uris: REDIRECT_URIS,
    scopes: [
      'courses:read',
      'courses:write',
      'curriculum:read',
      'curriculum:write',
      'lecturers:read',
      'students:read',
      'students:write',
    ],
  };
}

/** Input of `auth apply`: the sites with their people and clients. */
export function identitySeed(demo: DemoDefinition): unknown {
  const identities = demo.sites.map(
    ({ courses: _courses, students: _students, offers: _offers, holdings: _holdings, progress: _progress, ...site }) =>
      site,
  );
  return { sites: identities };
}

/** Output of `auth apply` for a site: the definition with the assigned ids. */
export interface AppliedSite extends Omit<
  DemoSite,
  'courses' | 'students' | 'offers' | 'holdings' | 'progress' | 'people' | 'org_id'
> {
  readonly site_id: string;
  readonly org_id: string;
  readonly people: readonly (DemoPerson & { readonly person_id: string; readonly member_id: string })[];
}

/** Input of `admin-api apply`: the profile and offers of each school, and what its members hold. */
export function schoolSeed(demo: DemoDefinition, applied: readonly AppliedSite[]): unknown {
  return {
    sites: demo.sites.map(({ base_url, offers, holdings }) => {
      const site = applied.find((one) => one.base_url === base_url);
      const personOf = (email: string) => site?.people.find((person) => person.email === email)?.person_id;
      const members = holdings.members.map(({ email, ...held }) => ({ ...held, person_id: personOf(email) }));
      return { site_id: site?.site_id, ...offers, holdings: { ...holdings, members } };
    }),
  };
}

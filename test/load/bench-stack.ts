import {
  type AppliedSite,
  type DemoDefinition,
  type DemoSite,
  demoDefinition,
  type Stack,
  startStack,
} from '@lyceum/local';

/** People who sign in and whose tokens are used. */
export const MEMBERS = 64;

const PASSWORD = 'correct-horse-battery';

export interface Member {
  readonly person_id: string;
  readonly member_id: string;
  readonly email: string;
  readonly password: string;
}

/** All that names courses and students of the demo, which this stack does not have. */
const NO_LEARNING: Omit<
  DemoSite,
  'base_url' | 'name' | 'slug' | 'org_id' | 'people' | 'clients' | 'categories' | 'offers'
> = {
  courses: [],
  students: [],
  classes: [],
  membership_plans: [],
  consulting: [],
  products: [],
  orders: [],
  events: [],
  progress: [],
  reviews: [],
  pages: [],
  community: { threads: [], forms: [] },
};

/** One site of the demo with its clients, and more students. Courses and enrollments are loaded by SQL. */
export function benchDefinition(edgePort: number, count: number): DemoDefinition {
  const site = demoDefinition(edgePort).sites[0]!;
  const members = Array.from({ length: count }, (_, index) => ({
    email: `member-${index}@bench.example`,
    password: PASSWORD,
    name: `Zoë "${index}" of the bench`,
    roles: ['student' as const],
  }));
  return {
    sites: [
      {
        ...site,
        people: [...site.people, ...members],
        ...NO_LEARNING,
      },
    ],
  };
}

export interface BenchStackOptions {
  readonly directory: string;
  readonly members: number;
  /** Without waits for the disk and without content, which figures would need. */
  readonly brief: boolean;
  /** The folder for CPU profiles of the services, if requested. */
  readonly profiles?: string;
}

/** The platform as deployed, with limits raised so that 64 people can send a thousand requests a second. */
export function startBenchStack({ directory, members, brief, profiles }: BenchStackOptions): Promise<Stack> {
  // Named after the service: it overwrites the profiles of its earlier commands when it ends.
  const profile = (service: string): Record<string, string> =>
    profiles === undefined
      ? {}
      : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles} --cpu-prof-name=${service}.cpuprofile` };
  return startStack({
    directory,
    durable: !brief,
    filled: !brief,
    demo: (edgePort) => benchDefinition(edgePort, members),
    // Never an external database: half a million rows are loaded.
    environment: {},
    settings: {
      auth: profile('auth'),
      'admin-api': profile('admin-api'),
      'mcp-gateway': profile('mcp-gateway'),
      'member-api': { ...profile('member-api'), RATE_LIMIT_POINTS: '10000000' },
    },
  });
}

export function benchSite({ sites }: Stack): AppliedSite {
  return sites[0]!;
}

export function membersOf(site: AppliedSite): Member[] {
  return site.people.filter(({ email }) => email.endsWith('@bench.example'));
}

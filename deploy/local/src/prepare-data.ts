import type { ServiceName } from '@lyceum/contracts';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DemoDay } from './demo-day.js';
import { DemoImport } from './demo-import.js';
import { moveEnrollments } from './demo-past.js';
import { identitySeed, schoolSeed, type AppliedSite, type DemoDefinition } from './demo.js';
import { runReleaseCommand } from './service-process.js';
import type { NatsServer } from './nats.js';
import { DATABASES, type DatabaseName } from './services.js';
import { runStorefronts } from './storefront.js';
import type { StackMemory } from './stack-memory.js';
import { builtHash } from './workspace.js';

/** Shows the work that it runs, under a title. */
export type Step = <T>(title: string, work: () => Promise<T>) => Promise<T>;

export interface Preparation {
  readonly directory: string;
  /** The folder of the release whose commands are run. */
  readonly root: string;
  readonly memory: StackMemory;
  readonly identity: (database: DatabaseName) => string;
  readonly environment: (service: ServiceName) => Record<string, string>;
  readonly step: Step;
}

/** Migrates the databases that were not migrated by what is built now. */
export async function migrate({ root, memory, identity, environment, step }: Preparation): Promise<void> {
  const digests = new Map<string, string>();
  const due = Object.entries(DATABASES).flatMap(([name, database]) => {
    const service = name as ServiceName;
    const key = `${identity(database)}:${builtHash(service, root, digests)}`;
    return memory.isMigrated(database, key) ? [] : [{ service, database, key }];
  });
  if (due.length === 0) return;
  await step(`migrate ${due.map(({ database }) => database).join(', ')}`, () =>
    Promise.all(
      due.map(async ({ service, database, key }) => {
        await runReleaseCommand(root, service, environment(service), ['migrate']);
        memory.rememberMigration(database, key);
      }),
    ),
  );
}

/** The day around which the instants of the demo lie: that on which it is made, also in later starts. */
export function demoDay(
  { memory, identity }: Pick<Preparation, 'memory' | 'identity'>,
  today = DemoDay.today(),
): DemoDay {
  return new DemoDay(memory.demoDay(`${identity('auth')} ${identity('school')}`, today.date));
}

/** Makes the sites, people and clients of the definition, unless that was done before. */
export async function seed(preparation: Preparation, demo: DemoDefinition): Promise<readonly AppliedSite[]> {
  const { memory, identity, step } = preparation;
  const key = createHash('sha256')
    .update(JSON.stringify([demo, identity('auth'), identity('school')]))
    .digest('hex');
  const known = memory.seeded(key);
  if (known) return known;
  return step('make the demo sites', async () => {
    const { sites } = JSON.parse(await apply(preparation, 'auth', identitySeed(demo))) as { sites: AppliedSite[] };
    memory.rememberSeed(key, sites);
    return sites;
  });
}

/**
 * Makes the content of the sites, unless that was done before: by the operator API and the commands of storefronts, and
 * by `admin-api apply` where neither reaches. Needs the edge, auth, admin-api and mcp-gateway.
 */
export async function fill(
  preparation: Preparation,
  nats: Pick<NatsServer, 'url' | 'userName' | 'userPassword'>,
  demo: DemoDefinition,
  sites: readonly AppliedSite[],
): Promise<void> {
  const { memory, step, environment } = preparation;
  if (memory.isFilled) return;
  await step('fill the demo sites', async () => {
    const imports = await Promise.all(demo.sites.map((site) => DemoImport.open(site)));
    const each = (work: (one: DemoImport) => Promise<void>): Promise<unknown> => Promise.all(imports.map(work));
    await each((one) => one.courses());
    // Courses name lecturers.
    const offers = apply(preparation, 'admin-api', schoolSeed(demo, sites));
    const people = each(async (one) => {
      await one.students();
      await one.classes();
    });
    await Promise.all([offers, people, each((one) => one.curricula()), each((one) => one.membershipPlans())]);
    // The offers bring the colors of an appearance that was never changed, so its logo comes after them.
    const files = each((one) => one.files());
    await each((one) => one.lecturers());
    const others = [
      each((one) => one.consulting()),
      each((one) => one.coupons()),
      each((one) => one.posts()),
      each((one) => one.products()),
      each((one) => one.pages()),
      each((one) => one.events()),
    ];
    await Promise.all([files, ...others]);
    await each((one) => one.close());
    const prices = new Map(imports.map((one) => [one.base_url, one.prices]));
    await runStorefronts(nats, demo, sites, prices);
    await moveEnrollments(
      environment('admin-api')['DATABASE_URL'],
      sites.map(({ site_id }) => site_id),
    );
    memory.rememberFilling();
  });
}

async function apply(
  { directory, root, environment }: Preparation,
  service: ServiceName,
  definition: unknown,
): Promise<string> {
  const file = join(directory, `${service}-seed.json`);
  writeFileSync(file, JSON.stringify(definition, null, 2), { mode: 0o600 });
  return runReleaseCommand(root, service, environment(service), ['apply', file]);
}

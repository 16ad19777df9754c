import type { ServiceName } from '@lyceum/contracts';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DemoImport } from './demo-import.js';
import { identitySeed, schoolSeed, type AppliedSite, type DemoDefinition } from './demo.js';
import { runServiceCommand } from './service-process.js';
import type { NatsServer } from './nats.js';
import { DATABASES, type DatabaseName } from './services.js';
import { runStorefronts } from './storefront.js';
import type { StackMemory } from './stack-memory.js';
import { builtHash } from './workspace.js';

/** Shows the work that it runs, under a title. */
export type Step = <T>(title: string, work: () => Promise<T>) => Promise<T>;

export interface Preparation {
  readonly directory: string;
  readonly memory: StackMemory;
  readonly identity: (database: DatabaseName) => string;
  readonly environment: (service: ServiceName) => Record<string, string>;
  readonly step: Step;
}

/** Migrates the databases that were not migrated by what is built now. */
export async function migrate({ memory, identity, environment, step }: Preparation): Promise<void> {
  const due = Object.entries(DATABASES).flatMap(([name, database]) => {
    const service = name as ServiceName;
    const key = `${identity(database)}:${builtHash(service)}`;
    return memory.isMigrated(database, key) ? [] : [{ service, database, key }];
  });
  if (due.length === 0) return;
  await step(`migrate ${due.map(({ database }) => database).join(', ')}`, () =>
    Promise.all(
      due.map(async ({ service, database, key }) => {
        await runServiceCommand(service, environment(service), 'migrate');
        memory.rememberMigration(database, key);
      }),
    ),
  );
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
 * Makes the content of the sites, unless that was done before: by the operator API and the commands of storefronts, and by
 * `admin-api apply` where neither reaches. Needs the edge, auth and admin-api.
 */
export async function fill(
  preparation: Preparation,
  nats: NatsServer,
  demo: DemoDefinition,
  sites: readonly AppliedSite[],
): Promise<void> {
  const { memory, step } = preparation;
  if (memory.isFilled) return;
  await step('fill the demo sites', async () => {
    const imports = await Promise.all(demo.sites.map((site) => DemoImport.open(site)));
    const each = (work: (one: DemoImport) => Promise<void>): Promise<unknown> => Promise.all(imports.map(work));
    await each((one) => one.courses());
    // Plans name courses, and courses name lecturers.
    const offers = apply(preparation, 'admin-api', schoolSeed(demo, sites));
    await Promise.all([offers, each((one) => one.students()), each((one) => one.curricula())]);
    await each((one) => one.lecturers());
    await each((one) => one.close());
    await runStorefronts(nats, demo, sites);
    memory.rememberFilling();
  });
}

async function apply(
  { directory, environment }: Preparation,
  service: ServiceName,
  definition: unknown,
): Promise<string> {
  const file = join(directory, `${service}-seed.json`);
  writeFileSync(file, JSON.stringify(definition, null, 2), { mode: 0o600 });
  return runServiceCommand(service, environment(service), 'apply', file);
}

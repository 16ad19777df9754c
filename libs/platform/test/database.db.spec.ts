import { eventually, testPostgres } from '@lyceum/testing';
import type { TestPostgres } from '@lyceum/testing';
import { Controller, Get, Module } from '@nestjs/common';
import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { DatabaseModule, Sql, migrateDatabase } from '../src/index.js';
import type { DatabaseOptions } from '../src/index.js';
import { startUnderTest } from './service-under-test.js';
import type { ServiceUnderTest } from './service-under-test.js';

@Entity('course')
class CourseEntity {
  @PrimaryColumn('text')
  slug!: string;

  @Column('text', { nullable: true })
  name!: string | null;
}

class MakeCourse1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE course (slug text PRIMARY KEY, name text)');
    await runner.query(`INSERT INTO course VALUES ('algebra', 'Algebra')`);
  }

  async down(): Promise<void> {}
}

const COURSE = { name: 'course_by_slug', text: 'SELECT slug, name FROM course WHERE slug = $1' };

@Controller()
class CoursesController {
  readonly #dataSource: DataSource;
  readonly #sql: Sql;

  constructor(dataSource: DataSource, sql: Sql) {
    this.#dataSource = dataSource;
    this.#sql = sql;
  }

  @Get('repository')
  async repository(): Promise<object | null> {
    return this.#dataSource.getRepository(CourseEntity).findOneBy({ slug: 'algebra' });
  }

  @Get('transaction')
  async transaction(): Promise<object | null> {
    return this.#dataSource.transaction((manager) => manager.findOneBy(CourseEntity, { slug: 'algebra' }));
  }

  @Get('sql')
  async sql(): Promise<object | undefined> {
    return (await this.#sql.query(COURSE, ['algebra']))[0];
  }
}

const ALL = ['repository', 'transaction', 'sql'] as const;
const ALGEBRA = { slug: 'algebra', name: 'Algebra' };
/** Longer than a busy machine stands still, and short enough for the test with a frozen database. */
const LIMITS = { connect: 1_500, query: 2_000, statement: 1_500 };

let server: TestPostgres;
beforeAll(async () => {
  server = await testPostgres(['school', 'unmigrated', 'older']);
  await migrateDatabase(optionsOf('school'));
  await migrateDatabase(optionsOf('older'));
});
afterAll(() => server.remove());

function optionsOf(database: string): DatabaseOptions {
  return {
    url: server.url(database),
    poolSize: 2,
    applicationName: 'under-test',
    entities: [CourseEntity],
    migrations: [MakeCourse1700000000001],
    limits: LIMITS,
  };
}

@Module({})
class ImportsModule {}

const open: ServiceUnderTest[] = [];
async function start(database = 'school'): Promise<ServiceUnderTest> {
  const imports = [{ module: ImportsModule, imports: [DatabaseModule.forRoot(optionsOf(database))] }];
  const service = await startUnderTest({ imports, controllers: [CoursesController] });
  open.push(service);
  return service;
}
afterEach(async () => {
  for (const service of open.splice(0)) await service.close();
});

const statusOf = async (service: ServiceUnderTest, path: string) => (await fetch(`${service.url}/${path}`)).status;
const PENDING = {
  ready: false,
  checks: { database: 'not_ready' },
  reasons: { database: 'migrations are pending: MakeCourse1700000000001' },
};
const readinessOf = async (service: ServiceUnderTest) =>
  (await (await fetch(`${service.managementUrl}/readyz`)).json()) as { readonly ready: boolean };
const isReady = async (service: ServiceUnderTest) => (await fetch(`${service.managementUrl}/readyz`)).status === 200;

const untilReady = (service: ServiceUnderTest) => eventually(() => isReady(service));

/** The pool reconnects a moment after readiness does. */
const untilServing = (service: ServiceUnderTest) =>
  eventually(
    () => Promise.all(ALL.map((path) => statusOf(service, path))),
    (statuses) => statuses.every((status) => status === 200),
  );

describe('a service with a database', () => {
  it('becomes ready and serves every kind of query', async () => {
    const service = await start();
    await untilServing(service);
    for (const path of ALL) expect(await (await fetch(`${service.url}/${path}`)).json()).toEqual(ALGEBRA);
  });

  it('reports not ready while a migration is pending', async () => {
    const service = await start('unmigrated');
    expect(await readinessOf(service)).toEqual(PENDING);
    expect(JSON.stringify(service.lines)).toContain('migrations are pending: MakeCourse1700000000001');
    await migrateDatabase(optionsOf('unmigrated'));
    await untilReady(service);
    await untilServing(service);
  });

  it.each([
    ['lacks a migration', `DELETE FROM migrations WHERE name = 'MakeCourse1700000000001'`],
    ['has no migrations at all', 'DROP TABLE migrations'],
  ])('becomes unready when the database gets an older schema, which %s', async (_case, statement) => {
    const service = await start('older');
    await untilReady(service);
    const dataSource = service.app.get(DataSource);
    await dataSource.query(statement);
    const unready = await eventually(
      () => readinessOf(service),
      ({ ready }) => !ready,
    );
    expect(unready).toEqual(PENDING);
    await dataSource.query('DROP TABLE course');
    await migrateDatabase(optionsOf('older'));
    await untilReady(service);
  });

  it('starts without the database, returns 503, and becomes ready when it comes up', async () => {
    await server.stop();
    const service = await start();
    for (const path of ALL) {
      const response = await fetch(`${service.url}/${path}`);
      expect([path, response.status]).toEqual([path, 503]);
      expect(response.headers.get('retry-after')).toBe('1');
      expect(await response.json()).toMatchObject({ code: 'temporarily_unavailable' });
    }
    expect(await isReady(service)).toBe(false);
    expect((await fetch(`${service.managementUrl}/livez`)).status).toBe(200);
    await server.restart();
    await untilReady(service);
    await untilServing(service);
  });

  it('stops while it still tries to connect', async () => {
    await server.stop();
    const service = await start();
    await service.close();
    await server.restart();
    await expect(fetch(`${service.managementUrl}/livez`)).rejects.toThrow('fetch failed');
  });

  it('returns only 200 and 503 while the database is killed and recovers, then 200', async () => {
    const service = await start();
    await untilReady(service);
    const seen = new Set<number>();
    let running = true;
    const asking = ALL.map(async (path) => {
      while (running) seen.add(await statusOf(service, path));
    });
    await server.kill();
    await eventually(async () => !(await isReady(service)));
    await server.restart();
    await untilReady(service);
    running = false;
    await Promise.all(asking);
    expect([...seen].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    await untilServing(service);
  });

  it('returns 503 in time while the database is frozen, then 200', async () => {
    const service = await start();
    await untilServing(service);
    const frozen = server.pids();
    for (const pid of frozen) process.kill(pid, 'SIGSTOP');
    try {
      const statuses = await Promise.all(ALL.map((path) => statusOf(service, path)));
      expect(statuses).toEqual([503, 503, 503]);
    } finally {
      for (const pid of frozen) process.kill(pid, 'SIGCONT');
    }
    await untilReady(service);
    await untilServing(service);
  });

  it('stays ready while all pool connections are busy', async () => {
    const service = await start();
    await untilReady(service);
    const dataSource = service.app.get(DataSource);
    const busy = Array.from({ length: 4 }, () => dataSource.query('SELECT pg_sleep(0.25)').catch(() => undefined));
    expect(await isReady(service)).toBe(true);
    await Promise.all(busy);
  });

  it('counts the pool’s connections', async () => {
    const service = await start();
    await untilReady(service);
    await statusOf(service, 'sql');
    const connections = async (state: string): Promise<string | undefined> => {
      const metrics = await (await fetch(`${service.managementUrl}/metrics`)).text();
      return new RegExp(`^database_pool_connections\\{state="${state}",.*\\} (\\d+)$`, 'm').exec(metrics)?.[1];
    };
    // The readiness check may use a connection at the moment.
    await eventually(
      () => connections('idle'),
      (idle) => idle === '1',
    );
    expect(await connections('waiting')).toBe('0');
  });

  it('leaves no session behind when it stops', async () => {
    const sessions = async (service: ServiceUnderTest): Promise<number[]> => {
      const sql = `SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'under-test%'`;
      return (await service.app.get(DataSource).query<{ pid: number }[]>(sql)).map(({ pid }) => pid);
    };
    const service = await start();
    await untilReady(service);
    const held = await sessions(service);
    expect(held.length).toBeGreaterThan(0);
    await service.close();
    const other = await start();
    // PostgreSQL ends a session a moment after its connection.
    await eventually(async () => !(await sessions(other)).some((pid) => held.includes(pid)));
  });
});

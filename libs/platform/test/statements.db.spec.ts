import { startOtlpReceiver, testPostgres } from '@lyceum/testing';
import type { OtlpReceiver, TestPostgres } from '@lyceum/testing';
import { Controller, Get } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Database, DatabaseModule, Sql } from '../src/index.js';
import type { DatabaseOptions } from '../src/index.js';
import { startUnderTest } from './service-under-test.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const BROKEN = 'SELECT 1 / ($1::int)';
const DATABASES = { name: 'databases', text: 'SELECT datname FROM pg_database WHERE datname <> $1' };

@Controller()
class StatementsController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sql: Sql,
  ) {}

  @Get('statements')
  async statements(): Promise<object> {
    await this.sql.query(DATABASES, ['hunter2']);
    await this.dataSource.transaction((manager) => manager.query('select $1::text as word', ['hunter2']));
    return {};
  }

  @Get('broken')
  broken(): Promise<object> {
    return this.sql.query({ name: undefined, text: BROKEN }, [0]);
  }
}

let server: TestPostgres;
beforeAll(async () => {
  server = await testPostgres(['school']);
});
afterAll(() => server.remove());

const options = (): DatabaseOptions => ({
  url: server.url('school'),
  poolSize: 1,
  applicationName: 'under-test',
  entities: [],
  migrations: [],
});

describe('the spans of statements', () => {
  let collector: OtlpReceiver;
  beforeEach(async () => {
    collector = await startOtlpReceiver();
  });
  afterEach(() => collector.close());

  async function call(path: string, flags: '00' | '01'): Promise<void> {
    const service = await startUnderTest({
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_TRACES_SAMPLER_ARG: '1',
        TRUSTED_PROXIES: '127.0.0.0/8',
      },
      imports: [DatabaseModule.forRoot(options())],
      controllers: [StatementsController],
    });
    try {
      await service.app.get(Database).ready();
      await fetch(`${service.url}${path}`, { headers: { traceparent: `00-${TRACE}-${PARENT}-${flags}` } });
    } finally {
      await service.close();
    }
  }
  const ofTrace = () => collector.spans.filter(({ traceId }) => traceId === TRACE);

  it('exports each statement below its request without its values', async () => {
    await call('/statements', '01');
    const request = ofTrace().find(({ name }) => name === 'GET /statements');
    const statements = ofTrace().filter(({ parentSpanId }) => parentSpanId === request?.spanId);
    expect(statements.map(({ name, kind }) => [name, kind])).toEqual([
      ['SELECT pg_database', 3],
      ['START', 3],
      ['SELECT', 3],
      ['COMMIT', 3],
    ]);
    expect(statements[0]?.attributes).toEqual(
      expect.arrayContaining([
        { key: 'db.system.name', value: { stringValue: 'postgresql' } },
        { key: 'db.operation.name', value: { stringValue: 'SELECT' } },
        { key: 'db.query.summary', value: { stringValue: 'SELECT pg_database' } },
      ]),
    );
    expect(JSON.stringify(collector.spans)).not.toContain('hunter2');
  });

  it('marks a failed statement with its SQLSTATE and its text', async () => {
    await call('/broken', '01');
    const failed = ofTrace().find(({ name }) => name === 'SELECT');
    expect(failed?.status).toEqual({ code: 2 });
    expect(failed?.attributes).toEqual(
      expect.arrayContaining([
        { key: 'db.query.text', value: { stringValue: BROKEN } },
        { key: 'db.response.status_code', value: { stringValue: '22012' } },
      ]),
    );
    expect(failed?.attributes).toHaveLength(5);
  });

  it('exports no statement of a trace that is not sampled', async () => {
    await call('/statements', '00');
    expect(collector.spans.filter(({ kind, traceId }) => kind === 3 || traceId === TRACE)).toEqual([]);
  });
});

describe('the waits for a connection', () => {
  it('measures work that waits, and not work that finds an idle connection', async () => {
    const waits: number[] = [];
    const database = await Database.open({ ...options(), onWait: (seconds) => waits.push(seconds) });
    try {
      const sql = new Sql(database.dataSource);
      await sql.query(DATABASES, ['']);
      const before = waits.length;
      await sql.query(DATABASES, ['']);
      expect(waits).toHaveLength(before);

      const held = sql.query({ name: undefined, text: 'SELECT pg_sleep(0.2)' }, []);
      await Promise.all([held, sql.query(DATABASES, [''])]);
      expect(waits).toHaveLength(before + 1);
      expect(waits.at(-1)).toBeGreaterThan(0.1);
    } finally {
      await database.onApplicationShutdown();
    }
  });

  it('measures work that gives up', async () => {
    const waits: number[] = [];
    const limited = { ...options(), limits: { connect: 100 } };
    const database = await Database.open({ ...limited, onWait: (seconds) => waits.push(seconds) });
    try {
      const sql = new Sql(database.dataSource);
      await sql.query(DATABASES, ['']);
      const before = waits.length;
      const held = sql.query({ name: undefined, text: 'SELECT pg_sleep(0.4)' }, []);
      await expect(sql.query(DATABASES, [''])).rejects.toThrow('timeout exceeded');
      await held;
      expect(waits).toHaveLength(before + 1);
    } finally {
      await database.onApplicationShutdown();
    }
  });
});

import { z } from 'zod';
import { ConfigurationError, readConfiguration } from './configuration.js';
import { connectionOptions } from './connection-options.js';
import { databaseEnvironment, secretKeys, secretTexts, serviceEnvironment } from './environment.js';

const service = z.object(serviceEnvironment);

function faultsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

describe('readConfiguration', () => {
  it('sets defaults for every service that work on one machine', () => {
    expect(readConfiguration(service, {})).toEqual({
      HOST: '0.0.0.0',
      PORT: 8080,
      MANAGEMENT_PORT: 9090,
      PERIODIC_TASKS: 'on',
      QUEUE_PAUSE_MS: 60_000,
      OTEL_TRACES_SAMPLER_ARG: 0.05,
      TRACES_OF_CALLERS: 'link',
      LOG_LEVEL: 'info',
      TRUSTED_PROXIES: [],
      REQUEST_TIMEOUT_MS: 30_000,
      READINESS_TIMEOUT_MS: 1_000,
      SHUTDOWN_DELAY_MS: 5_000,
      SHUTDOWN_TIMEOUT_MS: 15_000,
    });
  });

  it('limits each wait for the database by default', () => {
    const url = 'postgres://school@localhost/school';
    const config = readConfiguration(z.object(databaseEnvironment), { DATABASE_URL: url });
    expect(connectionOptions(config)).toEqual({
      url,
      poolSize: 10,
      limits: { connect: 2_000, statement: 5_000, query: 6_000 },
    });
  });

  it('ends a query after its statement', () => {
    const set = {
      DATABASE_URL: 'postgres://localhost/school',
      DATABASE_WAIT_MS: '100',
      DATABASE_STATEMENT_MS: '60000',
    };
    const { limits } = connectionOptions(readConfiguration(z.object(databaseEnvironment), set));
    expect(limits).toEqual({ connect: 100, statement: 60_000, query: 61_000 });
  });

  it('reports all faulty variables at once', () => {
    const schema = z.object({ ...serviceEnvironment, ...databaseEnvironment });
    const faults = faultsOf(() => readConfiguration(schema, { PORT: '65536', LOG_LEVEL: 'loud' }));
    expect(faults.map((fault) => fault.split(':')[0])).toEqual(['PORT', 'LOG_LEVEL', 'DATABASE_URL']);
    expect(faults[2]).toBe('DATABASE_URL: is required');
  });

  it('prints no value, not even a fragment in a JSON parser’s message', () => {
    const list = z.string().transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch (error) {
        context.addIssue({ code: 'custom', message: String(error) });
        return z.NEVER;
      }
    });
    const env = { LIST: 'hunter2-is-no-json', URL: 'postgres-secret', SHORT: 'pw' };
    const short = z.string().refine(() => false, { error: (issue) => `"${String(issue.input)}" is bad` });
    const schema = z.object({ LIST: list, URL: z.url(), SHORT: short });
    const faults = faultsOf(() => readConfiguration(schema, env));
    expect(faults).toHaveLength(3);
    expect(faults.join()).not.toMatch(/hunter|json"|secret|pw/);
  });

  it('treats an empty variable as absent', () => {
    expect(readConfiguration(service, { PORT: '', HOST: '' })).toMatchObject({ PORT: 8080, HOST: '0.0.0.0' });
  });

  it.each([
    ['PORT', '0', 0],
    ['PORT', '65535', 65_535],
    ['SHUTDOWN_TIMEOUT_MS', '100', 100],
    ['REQUEST_TIMEOUT_MS', '100', 100],
    ['OTEL_TRACES_SAMPLER_ARG', '0', 0],
    ['OTEL_TRACES_SAMPLER_ARG', '0.05', 0.05],
    ['OTEL_TRACES_SAMPLER_ARG', '1', 1],
    ['TRACES_OF_CALLERS', 'continue', 'continue'],
  ] as const)('accepts the limit %s=%s', (name, text, value) => {
    expect(readConfiguration(service, { [name]: text })[name]).toBe(value);
  });

  it.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['PORT', ' 80'],
    ['SHUTDOWN_TIMEOUT_MS', '99'],
    ['REQUEST_TIMEOUT_MS', '99'],
    ['REQUEST_TIMEOUT_MS', '600001'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10.0.0.0/8/8'],
    ['TRUSTED_PROXIES', '::1/129'],
    ['TRUSTED_PROXIES', 'proxy.example'],
    ['TRUSTED_PROXIES', '10.0.0.1,'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'ftp://collector'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.01'],
    ['OTEL_TRACES_SAMPLER_ARG', '-0.1'],
    ['OTEL_TRACES_SAMPLER_ARG', '5%'],
    ['TRACES_OF_CALLERS', 'sample'],
  ])('rejects %s=%s', (name, text) => {
    expect(faultsOf(() => readConfiguration(service, { [name]: text }))).toEqual([expect.stringMatching(`^${name}: `)]);
  });

  it('parses lists of proxies, and "none" as an empty list', () => {
    const read = (text: string) => readConfiguration(service, { TRUSTED_PROXIES: text }).TRUSTED_PROXIES;
    expect(read('10.0.0.0/8, fd00::/8,192.0.2.1')).toEqual(['10.0.0.0/8', 'fd00::/8', '192.0.2.1']);
    expect(read('none')).toEqual([]);
  });

  const keys = [0xfb, 1, 2, 3].map((byte) => Buffer.alloc(32, byte));
  const textOf = (count: number): string =>
    keys
      .slice(0, count)
      .map((key) => key.toString('base64'))
      .join(', ');

  it.each([1, 2, 3])('decodes %d keys of 32 bytes in their order', (count) => {
    const schema = z.object({ KEY: secretKeys });
    expect(readConfiguration(schema, { KEY: textOf(count) })).toEqual({ KEY: keys.slice(0, count) });
  });

  it.each([
    ['31 bytes', Buffer.alloc(31, 0xfb).toString('base64')],
    ['33 bytes', Buffer.alloc(33, 0xfb).toString('base64')],
    ['base64url', Buffer.alloc(32, 0xfb).toString('base64url')],
    ['characters that are no base64', `${Buffer.alloc(32, 0xfb).toString('base64')}!`],
    ['four values', textOf(4)],
    ['a value and nothing', `${textOf(1)},`],
  ])('rejects a key of %s', (_what, text) => {
    const faults = faultsOf(() => readConfiguration(z.object({ KEY: secretKeys }), { KEY: text }));
    expect(faults).toEqual(['KEY: must be base64 of 32 bytes, or up to 3 of them divided by commas']);
  });

  const secret = (length: number, character = 'a'): string => character.repeat(length);
  it('reads up to three secrets of 16 characters or more in their order', () => {
    const text = [secret(16), secret(17, 'b'), secret(16, 'c')].join(',');
    expect(readConfiguration(z.object({ SECRET: secretTexts }), { SECRET: text })).toEqual({ SECRET: text.split(',') });
  });

  it.each([
    ['of 15 characters', secret(15), 'SECRET: each value needs 16 characters or more'],
    ['of which one is empty', `${secret(16)},`, 'SECRET: each value needs 16 characters or more'],
    ['of four values', Array(4).fill(secret(16)).join(), 'SECRET: has more than 3 values divided by commas'],
  ])('rejects a secret %s', (_what, text, fault) => {
    expect(faultsOf(() => readConfiguration(z.object({ SECRET: secretTexts }), { SECRET: text }))).toEqual([fault]);
  });
});

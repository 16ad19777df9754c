import { NestLogger, createLogger } from './logger.js';
import { makeExecution, runIn } from '../telemetry/request-context.js';

function collect(level: 'info' | 'debug' = 'debug') {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  const pino = createLogger({ service: 'test', level, destination });
  return { lines, pino, nest: new NestLogger(pino) };
}

describe('createLogger', () => {
  it('writes one JSON object per line with level, time, service and message', () => {
    const { lines, pino } = collect();
    pino.info({ course: 'x' }, 'words');
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'info',
        service: 'test',
        message: 'words',
        course: 'x',
        time: expect.any(String),
      }),
    ]);
    expect(String(lines[0]?.['time'])).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  it('adds the ids of the current request, and of no other', async () => {
    const { lines, pino } = collect();
    const trace = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), flags: 1, state: undefined };
    await Promise.all([
      runIn(makeExecution('r-1', trace), async () => {
        await new Promise(setImmediate);
        pino.info('first');
      }),
      runIn(makeExecution('r-2', undefined), async () => pino.info('second')),
    ]);
    pino.info('outside');
    const ids = Object.fromEntries(lines.map((line) => [line['message'], [line['request_id'], line['trace_id']]]));
    expect(ids).toEqual({
      first: ['r-1', 'a'.repeat(32)],
      second: ['r-2', undefined],
      outside: [undefined, undefined],
    });
  });

  it.each([
    'authorization',
    'Cookie',
    'set-cookie',
    'client_secret',
    'clientSecret',
    'PASSWORD',
    'token',
    'access_token',
    'id_token_hint',
    'code_verifier',
  ])('writes no value of %s, at any depth', (name) => {
    const { lines, pino } = collect();
    pino.info({ [name]: 'hunter2', list: [{ deep: { [name]: ['hunter2'] } }] }, 'words');
    expect(JSON.stringify(lines)).not.toContain('hunter2');
    expect(lines[0]).toMatchObject({ [name]: '[redacted]', list: [{ deep: { [name]: '[redacted]' } }] });
  });

  it('redacts an authorization code, but not the code of an API error or of PostgreSQL', () => {
    const { lines, pino } = collect();
    pino.info({ one: { code: 'Xk3jd0-9sdkjAAjh2' }, two: { code: 'not_found' }, three: { code: '23505' } }, 'words');
    expect(lines[0]).toMatchObject({
      one: { code: '[redacted]' },
      two: { code: 'not_found' },
      three: { code: '23505' },
    });
  });

  it('describes an error by type, message, code, stack and causes only', () => {
    const { lines, pino } = collect();
    const cause = Object.assign(new Error('inner'), { code: '23505', parameters: ['hunter2'] });
    pino.error({ err: new TypeError('outer', { cause }) }, 'words');
    expect(lines[0]).toMatchObject({
      err: { type: 'TypeError', message: 'outer', cause: { message: 'inner', code: '23505' } },
    });
    expect(JSON.stringify(lines)).not.toContain('hunter2');
  });

  it('truncates deep and long values', () => {
    const { lines, pino } = collect();
    const ring: Record<string, unknown> = { bytes: Buffer.alloc(10), big: 1n };
    ring['self'] = ring;
    pino.info({ ring, many: Array.from({ length: 100 }, () => 1) }, 'words');
    expect(lines[0]?.['many']).toHaveLength(50);
    expect(JSON.stringify(lines)).toContain('[deep]');
  });
});

describe('NestLogger', () => {
  it('accepts message, fields, error and context in Nest’s order', () => {
    const { lines, nest } = collect();
    nest.warn('words', { course: 'x' }, new Error('why'), 'Courses');
    expect(lines[0]).toMatchObject({
      level: 'warn',
      message: 'words why',
      course: 'x',
      context: 'Courses',
      err: { message: 'why' },
    });
  });

  it('separates a textual stack from the message', () => {
    const { lines, nest } = collect();
    nest.error('words', 'Error: words\n    at somewhere', 'Courses');
    expect(lines[0]).toMatchObject({ message: 'words', stack: expect.stringContaining('at somewhere') });
  });

  it('logs routes and modules at debug only', () => {
    const { lines, nest } = collect('info');
    nest.log('Mapped {/x, GET} route', 'RouterExplorer');
    nest.log('kept', 'Courses');
    expect(lines.map((line) => line['message'])).toEqual(['kept']);
  });
});

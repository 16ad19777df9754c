import type { MeasuredDelay, MeasuredQuantity, MeasuredRound, Measurement } from './measure.ts';
import { report, row } from './report.ts';

const round = (requestsPerSecond: number): MeasuredRound => ({
  requests: requestsPerSecond * 5,
  requestsPerSecond,
  p50: 1.234,
  p99: 9.876,
  faults: 0,
  serverMicros: 100,
  databaseMicros: 50,
});

const measurement = (ours: number[], baseline: number[], goal?: number): Measurement => ({
  suite: 'member',
  title: 'viewer ÷ something',
  ...(goal === undefined ? {} : { goal }),
  ours: { name: 'ours', rounds: ours.map(round) },
  baseline: { name: 'theirs', rounds: baseline.map(round) },
});

const printed = (...measurements: Measurement[]): string => printedWith({}, measurements);

const printedWith = (
  conditions: { profile?: boolean },
  measurements: Measurement[],
  delays: MeasuredDelay[] = [],
  quantities: MeasuredQuantity[] = [],
): string =>
  report({
    machine: {
      date: '2026-11-20T12:00:00.000Z',
      processor: 'A processor',
      cores: 2,
      memory: 24 * 1024 ** 3,
      load: 0.25,
      node: '24.21.0',
      postgres: '18.4',
    },
    conditions: { rounds: 3, seconds: 5, connections: 16, profile: false, ...conditions },
    data: { people: 50_000 },
    rows: measurements.map(row),
    delays,
    quantities,
    memory: [{ name: 'auth', resident: 100 * 1024 ** 2 }],
  });

describe('the report', () => {
  it('names the machine, the data and the memory', () => {
    const text = printed(measurement([1], [1]));
    for (const fact of [
      'A processor, 2 cores, 24.0 GB',
      'Node 24.21.0',
      'PostgreSQL 18.4',
      '50,000 people',
      '3 rounds of 5 s',
    ])
      expect(text).toContain(fact);
    expect(text).toMatch(/^auth +100$/m);
  });

  it('shows the median of the ratios of rounds, not the ratio of averages', () => {
    const text = printed(measurement([100, 300, 200], [200, 300, 100], 0.6));
    expect(text).toMatch(/member: viewer ÷ something +0\.50 +1\.00 +2\.00 +≥ 0\.60 +reached$/m);
  });

  it('reports a missed goal by its median', () => {
    expect(printed(measurement([59, 59, 90], [100, 100, 100], 0.6))).toMatch(/0\.59 +0\.59 +0\.90 +≥ 0\.60 +missed$/m);
  });

  it('warns of ratios that were taken while a profiler ran', () => {
    expect(printedWith({ profile: true }, [measurement([1], [1])])).toContain('count for nothing');
    expect(printed(measurement([1], [1]))).not.toContain('count for nothing');
  });

  it('judges a delay by its p99, the goal itself included', () => {
    const delay = { suite: 'auth', title: 'to the end', goal: 50, times: 100, p50: 4, p99: 50, max: 60 };
    const text = printedWith({}, [measurement([1], [1])], [delay, { ...delay, p99: 50.1 }]);
    expect(text).toMatch(/auth: to the end +100 +4\.0 +50\.0 +60\.0 +p99 ≤ 50 +reached$/m);
    expect(text).toMatch(/ +50\.1 +60\.0 +p99 ≤ 50 +missed$/m);
    expect(printed(measurement([1], [1]))).not.toContain('Delay');
  });

  it('judges a quantity by its maximum, the goal itself included', () => {
    const quantity = { suite: 'auth', title: 'of a thousand sites', unit: 'MB' as const, goal: 350, value: 350 };
    const text = printedWith({}, [measurement([1], [1])], [], [quantity, { ...quantity, value: 350.01 }]);
    expect(text).toMatch(/auth: of a thousand sites +350\.00 MB +≤ 350 MB +reached$/m);
    expect(text).toMatch(/ 350\.01 MB +≤ 350 MB +missed$/m);
    expect(printed(measurement([1], [1]))).not.toContain('At most');
  });

  it('judges nothing without a goal', () => {
    expect(printed(measurement([1], [1]))).not.toMatch(/reached|missed/);
  });

  it('shows the requests per second, latencies and processor time of both', () => {
    const text = printed(measurement([100, 300, 200], [200, 300, 100]));
    expect(text).toMatch(/^ {2}ours +100 +200 +300 +1\.23 +9\.88 +100 +50$/m);
    expect(text).toMatch(/^ {2}theirs +100 +200 +300 /m);
  });
});

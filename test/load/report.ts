import type { Arguments } from './arguments.ts';
import type { Machine } from './machine.ts';
import type { MeasuredContender, MeasuredDelay, MeasuredQuantity, Measurement } from './measure.ts';
import { isReached, ratios, spread, type Spread } from './ratio.ts';

export interface ProcessMemory {
  readonly name: string;
  /** Bytes. */
  readonly resident: number;
}

export interface Results {
  readonly machine: Machine;
  readonly conditions: Pick<Arguments, 'rounds' | 'seconds' | 'connections' | 'profile'>;
  /** The contents of the databases. */
  readonly data: Readonly<Record<string, number>>;
  readonly rows: readonly Row[];
  readonly delays: readonly MeasuredDelay[];
  readonly quantities: readonly MeasuredQuantity[];
  readonly memory: readonly ProcessMemory[];
}

export interface Row extends Measurement {
  readonly ratio: Spread;
}

export function row(measurement: Measurement): Row {
  const perSecond = ({ rounds }: MeasuredContender): number[] => rounds.map((round) => round.requestsPerSecond);
  return { ...measurement, ratio: spread(ratios(perSecond(measurement.ours), perSecond(measurement.baseline))) };
}

export function report({ machine, conditions, data, rows, delays, quantities, memory }: Results): string {
  const { rounds, seconds, connections, profile } = conditions;
  const held = Object.entries(data).map(([what, count]) => `${count.toLocaleString('en')} ${what}`);
  return [
    `${machine.date} · ${machine.processor}, ${machine.cores} cores, ${gigabytes(machine.memory)} GB · load ${machine.load.toFixed(1)} before`,
    `Node ${machine.node} · PostgreSQL ${machine.postgres} · ${held.join(', ')}`,
    `${rounds} rounds of ${seconds} s each, in turn, over ${connections} connections`,
    ...(profile ? ['Our services were profiled, which slows them down: these ratios count for nothing'] : []),
    '',
    ...(rows.length > 0
      ? [
          ...table(ratioLines(rows)),
          '',
          ...table(
            rows.flatMap(({ title, ours, baseline }, index) => contenderLines(title, [ours, baseline], index === 0)),
          ),
          '',
        ]
      : []),
    ...(delays.length > 0 ? [...table(delayLines(delays)), ''] : []),
    ...(quantities.length > 0 ? [...table(quantityLines(quantities)), ''] : []),
    'Memory after load, MB',
    ...table(memory.map(({ name, resident }) => [name, megabytes(resident)])),
  ].join('\n');
}

function ratioLines(rows: readonly Row[]): string[][] {
  const lines = rows.map(({ suite, title, ratio, goal }) => [
    `${suite}: ${title}`,
    ...spreadOf(ratio, 2),
    ...(goal === undefined ? ['', ''] : [`≥ ${goal.toFixed(2)}`, isReached(ratio, goal) ? 'reached' : 'missed']),
  ]);
  return [['Ratio of requests per second', 'min', 'median', 'max', 'goal', ''], ...lines];
}

function delayLines(delays: readonly MeasuredDelay[]): string[][] {
  const lines = delays.map(({ suite, title, goal, times, p50, p99, max }) => [
    `${suite}: ${title}`,
    String(times),
    ...[p50, p99, max].map((value) => value.toFixed(1)),
    `p99 ≤ ${goal}`,
    p99 <= goal ? 'reached' : 'missed',
  ]);
  return [['Delay, ms', 'times', 'p50', 'p99', 'max', 'goal', ''], ...lines];
}

function quantityLines(quantities: readonly MeasuredQuantity[]): string[][] {
  const lines = quantities.map(({ suite, title, unit, goal, value }) => [
    `${suite}: ${title}`,
    `${value.toFixed(2)} ${unit}`,
    `≤ ${goal} ${unit}`,
    value <= goal ? 'reached' : 'missed',
  ]);
  return [['At most', '', 'goal', ''], ...lines];
}

function contenderLines(title: string, contenders: readonly MeasuredContender[], first: boolean): string[][] {
  const header = [title, 'req/s min', 'median', 'max', 'p50 ms', 'p99 ms', 'server µs/req', 'PostgreSQL µs/req'];
  const lines = contenders.map(({ name, rounds }) => {
    const median = (of: (round: (typeof rounds)[number]) => number): number => spread(rounds.map(of)).median;
    return [
      `  ${name}`,
      ...spreadOf(spread(rounds.map((round) => round.requestsPerSecond)), 0),
      median((round) => round.p50).toFixed(2),
      median((round) => round.p99).toFixed(2),
      median((round) => round.serverMicros).toFixed(0),
      median((round) => round.databaseMicros).toFixed(0),
    ];
  });
  return [first ? header : [title], ...lines];
}

function spreadOf({ min, median, max }: Spread, digits: number): string[] {
  return [min, median, max].map((value) => value.toFixed(digits));
}

/** Aligns the first column to the left and the others to the right. */
function table(lines: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const line of lines)
    for (const [column, cell] of line.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  return lines.map((line) =>
    line
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd(),
  );
}

function megabytes(bytes: number): string {
  return (bytes / 1024 ** 2).toFixed(0);
}

function gigabytes(bytes: number): string {
  return (bytes / 1024 ** 3).toFixed(1);
}

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { type Stack, WORKSPACE } from '@lyceum/local';
import { figuresOf } from '../long/bench-proof.ts';
import { committedFigures, regressionLines, regressions } from '../long/comparison.ts';
import { ArgumentError, type Arguments, partOf, readArguments, scaled, USAGE } from './arguments.ts';
import { Baselines } from './baseline.ts';
import { MEMBERS, startBenchStack } from './bench-stack.ts';
import { type Machine, thisMachine } from './machine.ts';
import { measure, measureDelay, type MeasuredDelay, type MeasuredQuantity, measureQuantity } from './measure.ts';
import { proportionalMemory, residentMemory } from './processes.ts';
import { type ProcessMemory, report, type Results, row, type Row } from './report.ts';
import { belongsTo } from './suite.ts';
import { SUITES } from './suites/suites.ts';

/** As many as the connections of `--brief`, and some more. */
const LEAST_MEMBERS = 8;
const RESULTS = join(WORKSPACE, '.lyceum/bench');

async function bench(wanted: Arguments): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'lyceum-bench-'));
  const ends: (() => Promise<void> | void)[] = [() => rmSync(directory, { recursive: true, force: true })];
  const end = async (): Promise<void> => {
    for (const part of ends.splice(0).reverse()) await part();
  };
  let interrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      interrupted = true;
      process.stdout.write('\n  stopping …\n');
      void end().then(() => process.exit(130));
    });
  try {
    const name = new Date().toISOString().replace(/[:.]/g, '-');
    const profiles = wanted.profile ? { profiles: join(RESULTS, name) } : {};
    const stack = await step('start the stack', () =>
      startBenchStack({
        directory,
        members: scaled(wanted, MEMBERS, LEAST_MEMBERS),
        brief: wanted.brief,
        ...profiles,
      }),
    );
    ends.push(() => stack.stop());
    const baselines = new Baselines();
    ends.push(() => baselines.stop());
    const died = stack.died.then(({ name: part }) => {
      throw new Error(`${part} ended during the benchmark`);
    });
    const machine = await thisMachine(stack.databaseUrl('auth'));
    const results = await Promise.race([run(wanted, machine, stack, baselines), died]);
    process.stdout.write(`\n${report(results)}\n`);
    const compared = wanted.brief ? [] : wanted.suites;
    const committed = compared.flatMap((suite) => committedFigures(WORKSPACE, suite));
    for (const line of regressionLines(regressions(figuresOf(results), committed))) process.stdout.write(`${line}\n`);
    const file = wanted.output === undefined ? join(RESULTS, `${name}.json`) : resolve(wanted.output);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
    process.stdout.write(`\nWritten to ${relative(WORKSPACE, file)}\n`);
  } catch (error) {
    // Failures during the shutdown are expected.
    if (!interrupted) throw error;
  } finally {
    await end();
  }
}

async function run(wanted: Arguments, machine: Machine, stack: Stack, baselines: Baselines): Promise<Results> {
  const { rounds, seconds, connections, brief, profile } = wanted;
  const database = (): readonly number[] => stack.postgres!.pids();
  const data: Record<string, number> = {};
  const rows: Row[] = [];
  const delays: MeasuredDelay[] = [];
  const quantities: MeasuredQuantity[] = [];
  for (const name of wanted.suites) {
    const wantedPart = partOf(wanted, name);
    const parts = await SUITES[name]!({
      stack,
      arguments: { ...wanted, part: wantedPart },
      database,
      step,
      startBaseline: (baseline, configuration) => baselines.start(baseline, configuration),
      hold: (held) => void Object.assign(data, held),
    });
    for (const part of parts.filter((one) => belongsTo(wantedPart, one))) {
      if ('samples' in part) {
        delays.push(await step(`${name}: ${part.title}`, () => measureDelay(part)));
        continue;
      }
      if ('measure' in part) {
        quantities.push(await step(`${name}: ${part.title}`, () => measureQuantity(part)));
        continue;
      }
      const measured = await step(`${name}: ${part.title}`, () =>
        measure(part, { rounds, seconds, connections, brief, database }),
      );
      rows.push(row(measured));
    }
  }
  return {
    machine,
    conditions: { rounds, seconds, connections, profile },
    data,
    rows,
    delays,
    quantities,
    memory: memory(stack, baselines),
  };
}

function memory(stack: Stack, baselines: Baselines): ProcessMemory[] {
  const single = [...stack.services, { name: 'nats', pid: stack.nats.pid }, ...baselines.processes];
  const database = stack.postgres!.pids();
  return [
    ...single.map(({ name, pid }) => ({ name, resident: pid === undefined ? undefined : residentMemory(pid) })),
    { name: `postgres (${database.length} processes)`, resident: proportionalMemory(database) },
  ].flatMap(({ name, resident }) => (resident === undefined ? [] : [{ name, resident }]));
}

async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  process.stdout.write(`  ${title} … `);
  const result = await work();
  process.stdout.write(`${((performance.now() - began) / 1_000).toFixed(1)} s\n`);
  return result;
}

try {
  await bench(readArguments(process.argv.slice(2), Object.keys(SUITES)));
} catch (error) {
  const wrong = error instanceof ArgumentError;
  process.stderr.write(wrong ? `${error.message}\n${USAGE}\n` : `\n${(error as Error).stack}\n`);
  // The servers of a failed suite would keep the process alive.
  process.exit(wrong ? 2 : 1);
}

import { parseArgs } from 'node:util';

/** `main`: the ratios of the platform to the baselines. `rest`: all other rows. `all`: both. */
export type Part = 'main' | 'rest' | 'all';

/** The suites with ratios of `main`, in the order of running. */
const MAIN_SUITES = ['member', 'auth', 'tools', 'admin'];
/** Suites that run by their name alone. */
const NAMED_SUITES = ['plots'];
/** `main` takes at most six minutes. */
const MAIN_ROUNDS = '3';
const MAIN_SECONDS = '2';
/** The numbers of `--brief`. */
const BRIEF = { rounds: 1, seconds: 0.5, connections: 4, tokens: 1_000, people: 1_000, rows: 1_000 };
/** `--brief` divides the numbers that a suite chooses itself. */
const BRIEF_DIVISOR = 100;
/** A list of 1,000 pages is measured. */
const LEAST_ROWS = 25_000;

export interface Arguments {
  readonly suites: readonly string[];
  readonly part: Part;
  /** Suites with all rows beside the main ratios. */
  readonly also: readonly string[];
  /** Measured rounds of each contender. One more round warms it up. */
  readonly rounds: number;
  /** Length of a round. */
  readonly seconds: number;
  readonly connections: number;
  /** Access tokens in the database of auth beside those of the members. */
  readonly tokens: number;
  /** People in the learner database, with ten enrollments and ten notifications each. */
  readonly people: number;
  /** Courses of one site, against a hundredth of them at another. */
  readonly rows: number;
  /** Each part once and small, to prove that it runs. Its figures say nothing. */
  readonly brief: boolean;
  /** Leaves a CPU profile of every service beside the results. */
  readonly profile: boolean;
  /** Where the results are written; below .lyceum/bench unless given. */
  readonly output: string | undefined;
}

export const USAGE = `npm run bench [-- <suite>… --long --also <suite> --brief --rounds 5 --seconds 5 --connections 16 --tokens 10000 --people 50000 --rows 1000000 --profile --output <file>]`;

export class ArgumentError extends Error {}

/** @throws ArgumentError with the reason. */
export function readArguments(argv: readonly string[], known: readonly string[]): Arguments {
  const { values, positionals } = parse(argv);
  const also = values.also ?? [];
  const unknown = [...positionals, ...also].filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new ArgumentError(`no suite ${unknown.join(', ')}: there are ${known.join(', ')}`);
  const { brief } = values;
  if (also.length > 0 && (values.long || positionals.length > 0))
    throw new ArgumentError('--also adds suites to the main ratios, which --long and named suites leave out');
  const part = values.long ? 'rest' : positionals.length === 0 ? 'main' : 'all';
  const unnamed = known.filter((name) => (part === 'main' ? MAIN_SUITES.includes(name) : !NAMED_SUITES.includes(name)));
  return {
    suites: [...new Set(positionals.length === 0 ? [...unnamed, ...also] : positionals)],
    part,
    also,
    ...(brief
      ? BRIEF
      : {
          rounds: whole('rounds', values.rounds ?? (part === 'main' ? MAIN_ROUNDS : '5'), 1, 100),
          seconds: whole('seconds', values.seconds ?? (part === 'main' ? MAIN_SECONDS : '5'), 1, 300),
          connections: whole('connections', values.connections, 1, 256),
          tokens: whole('tokens', values.tokens, 1_000, 5_000_000),
          people: whole('people', values.people, 1_000, 10_000_000),
          rows: whole('rows', values.rows, LEAST_ROWS, 10_000_000),
        }),
    brief,
    profile: values.profile,
    output: values.output,
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        long: { type: 'boolean', default: false },
        also: { type: 'string', multiple: true },
        brief: { type: 'boolean', default: false },
        rounds: { type: 'string' },
        seconds: { type: 'string' },
        connections: { type: 'string', default: '16' },
        tokens: { type: 'string', default: '10000' },
        people: { type: 'string', default: '50000' },
        rows: { type: 'string', default: '1000000' },
        profile: { type: 'boolean', default: false },
        output: { type: 'string' },
      },
    });
  } catch (error) {
    throw new ArgumentError((error as Error).message);
  }
}

/** The part of a suite that is measured. */
export function partOf({ part, also }: Pick<Arguments, 'part' | 'also'>, suite: string): Part {
  return also.includes(suite) ? 'all' : part;
}

function whole(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new ArgumentError(`--${name} must be a whole number from ${least} to ${most}`);
}

/** A number that a suite chooses itself; `--brief` makes it small, but not smaller than `least`. */
export function scaled({ brief }: Pick<Arguments, 'brief'>, count: number, least = 1): number {
  return brief ? Math.min(count, Math.max(least, Math.ceil(count / BRIEF_DIVISOR))) : count;
}

import { readFileSync } from 'node:fs';
import type { z } from 'zod';

/** The configuration is invalid. Names every faulty variable, so that one deployment corrects all; never a value. */
export class ConfigurationError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration is not usable:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'ConfigurationError';
    this.faults = faults;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the variables of the schema, each from `NAME` or from the file at `NAME_FILE` (without one trailing line break,
 * as secrets are mounted). An empty variable counts as absent. Throws a ConfigurationError with all faults at once.
 */
export function readConfiguration<S extends z.ZodObject>(schema: S, env: Environment = process.env): z.infer<S> {
  const faults: string[] = [];
  const values: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const value = readVariable(name, env, faults);
    if (value !== undefined) values[name] = value;
  }
  const unreadable = new Set(faults.map((fault) => fault.split(':', 1)[0]));
  const result = schema.safeParse(values);
  if (!result.success) {
    for (const issue of result.error.issues) {
      const name = String(issue.path[0] ?? 'configuration');
      if (!unreadable.has(name)) faults.push(describe(name, issue, values));
    }
  }
  if (faults.length > 0 || !result.success) throw new ConfigurationError(faults);
  return result.data;
}

function readVariable(name: string, env: Environment, faults: string[]): string | undefined {
  const direct = env[name] || undefined;
  const file = env[`${name}_FILE`] || undefined;
  if (file === undefined) return direct;
  if (direct !== undefined) {
    faults.push(`${name}: is given twice, also as ${name}_FILE`);
    return undefined;
  }
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '') || undefined;
  } catch {
    faults.push(`${name}: the file named by ${name}_FILE cannot be read`);
    return undefined;
  }
}

function describe(name: string, issue: z.core.$ZodIssue, values: Readonly<Record<string, string>>): string {
  const value = values[name];
  if (value === undefined) return `${name}: is required`;
  return `${name}: ${quotes(issue.message, value) ? 'is not valid' : issue.message}`;
}

const QUOTED_LENGTH = 6;

/** True when the message contains the value or a fragment of it, as a JSON parser's message does. */
function quotes(message: string, value: string): boolean {
  if (value.length <= QUOTED_LENGTH) return message.includes(`"${value}"`) || message.includes(`'${value}'`);
  for (let start = 0; start + QUOTED_LENGTH <= value.length; start += 1) {
    if (message.includes(value.slice(start, start + QUOTED_LENGTH))) return true;
  }
  return false;
}

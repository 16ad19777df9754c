import type { ServiceName } from '@lyceum/contracts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stack } from './stack.js';

/** Writes files for `node --env-file`, with which a service runs separately against the rest of this stack. */
export function writeServiceEnvironments(stack: Pick<Stack, 'services' | 'environment'>, directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const { name } of stack.services) {
    writeFileSync(environmentFile(directory, name), environmentText(stack.environment(name)), { mode: 0o600 });
  }
}

export function environmentFile(directory: string, service: ServiceName): string {
  return join(directory, `${service}.env`);
}

/** No value holds a single quote: they are addresses, numbers, base64 and JSON of these. */
function environmentText(environment: Readonly<Record<string, string>>): string {
  return Object.entries(environment)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('');
}

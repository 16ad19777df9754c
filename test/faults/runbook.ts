import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASES, WORKSPACE } from '@lyceum/local';

export type Owner = keyof typeof DATABASES;

/** One line of the page: a command in a service. `serve` starts its replicas. */
interface Step {
  readonly service: Owner;
  readonly command: readonly string[];
}

export const OWNERS = Object.keys(DATABASES) as readonly Owner[];

const PAGE = join(WORKSPACE, 'docs/operate/restore.md');

/**
 * The steps of docs/operate/restore.md for a service, in their order: the code below the heading with its name.
 *
 * @param stopped the instant that the page calls `<stopped>`
 */
export function stepsAfterRestore(owner: Owner, stopped: string, page = readFileSync(PAGE, 'utf8')): readonly Step[] {
  return stepsBelow(`After a restore of ${owner}`, page, stopped);
}

/** The steps after the volume of NATS was lost, in their order. */
export function stepsAfterNatsLoss(page = readFileSync(PAGE, 'utf8')): readonly Step[] {
  return stepsBelow('After a loss of NATS', page);
}

function stepsBelow(heading: string, page: string, stopped = '<stopped>'): readonly Step[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
  const code = /^```text\n(.*?)^```$/ms.exec(section ?? '')?.[1];
  if (code === undefined) throw new Error(`The page has no steps below "${heading}"`);
  return code
    .trim()
    .split('\n')
    .map((line) => {
      const [service, ...command] = line.trim().replace('<stopped>', stopped).split(/\s+/);
      if (!OWNERS.some((one) => one === service) || command.length === 0)
        throw new Error(`The page has a line that is no step: ${line}`);
      return { service: service as Owner, command };
    });
}

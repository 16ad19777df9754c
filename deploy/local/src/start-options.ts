import { SERVICES, type ServiceName } from '@lyceum/contracts';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { WORKSPACE } from './workspace.js';

export interface StartOptions {
  /** Undefined: the one of last time, or 8080. */
  readonly port: number | undefined;
  readonly data: string;
  /** Where demo.json and the environments of the services are written. */
  readonly facts: string;
  readonly verbose: boolean;
  readonly without: readonly ServiceName[];
}

export const HELP = `npm start -- [options]

  --port <n>          port of both sites (8080)
  --data <directory>  where everything is kept (.lyceum/data); demo.json is written beside the default one, inside any other
  --without <name>    leave a service out, to run it apart: npx nx serve <name> (can be repeated)
  --verbose           show the logs of the services
  --help
`;

/** Throws with a sentence for the person who typed it. */
export function startOptions(args: readonly string[]): StartOptions | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string' },
      data: { type: 'string' },
      without: { type: 'string', multiple: true, default: [] },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const data = values.data === undefined ? join(WORKSPACE, '.lyceum/data') : resolve(values.data);
  return {
    port: values.port === undefined ? undefined : portOf(values.port),
    data,
    facts: values.data === undefined ? join(WORKSPACE, '.lyceum') : data,
    verbose: values.verbose,
    without: values.without.map(serviceOf),
  };
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new Error(`--port ${text} is no port: a number from 1 to 65535`);
}

function serviceOf(name: string): ServiceName {
  const found = SERVICES.find((service) => service === name);
  if (!found) throw new Error(`--without ${name}: there is no such service (${SERVICES.join(', ')})`);
  return found;
}

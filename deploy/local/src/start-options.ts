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
  /** The service that is built and restarted when its sources change. */
  readonly watch: ServiceName | undefined;
}

export const HELP = `npm start -- [options]

  --port <n>          port of both sites (8080)
  --data <directory>  where everything is kept (.lyceum/data); demo.json is written beside the default one, inside any other
  --without <name>    leave a service out, to run it apart: npx nx serve <name> (can be repeated)
  --watch <name>      build and restart this service when its sources change (npm run dev -- <name>)
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
      watch: { type: 'string' },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const without = values.without.map((name) => serviceOf('--without', name));
  const watch = values.watch === undefined ? undefined : serviceOf('--watch', values.watch);
  if (watch !== undefined && without.includes(watch))
    throw new Error(`--watch ${watch} and --without ${watch}: a service that is left out cannot be restarted`);
  const data = values.data === undefined ? join(WORKSPACE, '.lyceum/data') : resolve(values.data);
  return {
    port: values.port === undefined ? undefined : portOf(values.port),
    data,
    facts: values.data === undefined ? join(WORKSPACE, '.lyceum') : data,
    verbose: values.verbose,
    without,
    watch,
  };
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new Error(`--port ${text} is no port: a number from 1 to 65535`);
}

function serviceOf(option: string, name: string): ServiceName {
  const found = SERVICES.find((service) => service === name);
  if (!found) throw new Error(`${option} ${name}: no such service (${SERVICES.join(', ')})`);
  return found;
}

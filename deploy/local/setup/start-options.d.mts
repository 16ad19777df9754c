import type { ServiceName } from '@lyceum/contracts';

export interface StartOptions {
  /** Undefined: the one of last time, or 8080. */
  readonly port: number | undefined;
  readonly data: string;
  /** Where demo.json and the environments of the services are written. */
  readonly facts: string;
  /** A demo that is made in a fraction of the time. */
  readonly small: boolean;
  readonly verbose: boolean;
  readonly without: readonly ServiceName[];
  /** The number of replicas of the named services. The others have one. */
  readonly replicas: Readonly<Partial<Record<ServiceName, number>>>;
  /** The service that is built and restarted when its sources change. */
  readonly watch: ServiceName | undefined;
}

export const HELP: string;

/** Replicas of one service on this machine. */
export const REPLICAS: { readonly least: number; readonly most: number };

export function startOptions(
  args: readonly string[],
  environment?: Readonly<Record<string, string | undefined>>,
): StartOptions | 'help';

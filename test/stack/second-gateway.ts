import { type Replica, startReplica } from './replica.js';

export type SecondGateway = Pick<Replica, 'url' | 'stop'>;

/** Starts another gateway of the stack with other settings. */
export function startSecondGateway(settings: Readonly<Record<string, string>>): Promise<SecondGateway> {
  return startReplica('mcp-gateway', settings);
}

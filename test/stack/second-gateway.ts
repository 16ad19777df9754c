import { type Replica, startReplica } from './replica.js';

export type SecondGateway = Pick<Replica, 'url' | 'stop'>;

/** One more gateway of the stack, with settings of its own. */
export function startSecondGateway(settings: Readonly<Record<string, string>>): Promise<SecondGateway> {
  return startReplica('mcp-gateway', settings);
}

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { eventually, type NatsServer } from '@lyceum/local';

export interface NatsUser {
  readonly user: string;
  readonly password: string;
}

interface NatsFile {
  readonly accounts: Readonly<Record<string, { users: NatsUser[] }>>;
}

/**
 * Changes the users of every account, as a rotation of their logins does, and waits until the server knows them. The
 * server reads its configuration again on SIGHUP, and keeps the connections of unchanged users.
 */
export async function changeNatsUsers(
  { logFile, pid }: Pick<NatsServer, 'logFile' | 'pid'>,
  change: (users: readonly NatsUser[]) => NatsUser[],
): Promise<void> {
  const path = join(dirname(logFile), 'nats.json');
  const file = JSON.parse(readFileSync(path, 'utf8')) as NatsFile;
  for (const account of Object.values(file.accounts)) account.users = change(account.users);
  const reloads = (): number => readFileSync(logFile, 'utf8').split('Reloaded server configuration').length;
  const before = reloads();
  writeFileSync(path, JSON.stringify(file));
  process.kill(pid!, 'SIGHUP');
  await eventually(
    () => Promise.resolve(reloads()),
    (after) => after > before,
  );
}

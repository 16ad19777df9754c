import { natsAccounts } from '@lyceum/contracts';
import { NATS_USERS } from '../nats.js';

/** NATS reads `$NAME` without quotes as the value of the variable NAME. */
const variableOf = (user: string): string => `PASSWORD_${user.replaceAll('-', '_').toUpperCase()}`;

const SERVER = {
  server_name: 'lyceum',
  listen: '0.0.0.0:4222',
  // Health checks of the container itself.
  http: '127.0.0.1:8222',
  jetstream: {
    store_dir: '/data',
    max_mem: 268_435_456,
    max_file: 8_589_934_592,
    // The default writes through every two minutes: an acknowledged event could be lost with the power.
    sync_interval: 'always',
  },
};

/** `docker/nats/nats.conf`: the accounts and permissions of all users, without their passwords. */
export function natsConfiguration(): string {
  const members = Object.entries({ ...SERVER, accounts: natsAccounts((user) => `$${variableOf(user)}`) });
  return [
    '# Generated from libs/contracts/src/topology by `npm run -s compose -w @lyceum/local`. Do not edit.',
    '# Each service has an account of its own, and one user with the permissions that it needs (docs/adr/0019).',
    'include "secrets/passwords.conf"',
    ...members.map(([name, value]) => `${name}: ${JSON.stringify(value, null, 2)}`),
    '',
  ]
    .join('\n')
    .replaceAll(/"(\$PASSWORD_\w+)"/g, '$1');
}

/** The file that the configuration includes. */
export function natsPasswords(password: (user: string) => string): string {
  return NATS_USERS.map((user) => `${variableOf(user)}: ${JSON.stringify(password(user))}\n`).join('');
}

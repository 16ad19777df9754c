import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { SERVICES, type ServiceName } from '@lyceum/contracts';
import { DATABASES, type DatabaseName, Secrets, serviceEnvironment, type Stack } from '@lyceum/local';
import { changeNatsUsers, type NatsUser } from '@lyceum/testing';
import pg from 'pg';

/**
 * The steps of docs/operate/rotation.md: replicas accept the new value, then use it for new work, then refuse the old
 * one.
 */
type Phase = 'add' | 'switch' | 'remove';

type Variables = Readonly<Record<string, string>>;

/** Variables that are lists of values. The keys are base64 of 32 bytes. */
const KEYS = ['CURSOR_KEY', 'DOWNLOAD_KEY', 'FILES_KEY', 'KEY_ENCRYPTION_KEY'];
const TEXTS = ['COOKIE_KEYS', 'INTROSPECTION_CLIENT_SECRET'];

/** Secrets of a deployment that the local stack does not have, and why its rotation leaves them out. */
export const NOT_ROTATED: Readonly<Record<string, string>> = {
  MAIL_SMTP_URL: 'the local stack writes mails to files',
  S3_ACCESS_KEY_ID: 'the local stack keeps files in a directory, and rotates FILES_KEY',
  S3_SECRET_ACCESS_KEY: 'the local stack keeps files in a directory, and rotates FILES_KEY',
};

const SECOND = '2';

/** Rotates every secret of a stack that starts with it. */
export class Rotation {
  /** The variables of each service at the first start of the stack. */
  readonly #old: Readonly<Record<ServiceName, Variables>>;
  readonly #young: Readonly<Record<ServiceName, Variables>>;
  readonly #calls = generateKeyPairSync('ed25519');
  readonly #logins = randomBytes(16).toString('hex');

  constructor(directory: string) {
    const around = {
      directory,
      secrets: new Secrets(join(directory, 'secrets.json')),
      nats: { url: '', userName: () => '', userPassword: () => '', apiPrefix: () => '' },
      databaseUrl: () => '',
      authUrl: '',
      developerInfoUrl: '',
    };
    const old = (name: ServiceName): Variables => serviceEnvironment(name, { port: 0, managementPort: 0 }, around);
    this.#old = byService(old);
    this.#young = byService((name) => {
      const made = Object.keys(old(name)).flatMap((variable): [string, string][] => {
        if (KEYS.includes(variable)) return [[variable, randomBytes(32).toString('base64')]];
        return TEXTS.includes(variable) ? [[variable, randomBytes(32).toString('base64url')]] : [];
      });
      return Object.fromEntries(made);
    });
  }

  /** The variables of all services in a phase. `stack` has the second logins, which the phase `add` does not use. */
  variables(phase: Phase, stack?: Pick<Stack, 'databaseUrl'>): Readonly<Record<ServiceName, Variables>> {
    return byService((name) => {
      const young = this.#young[name];
      const old = this.#old[name];
      const lists = Object.entries(young).map(([variable, value]) => [variable, list(phase, old[variable], value)]);
      return {
        ...Object.fromEntries(lists),
        ...(name === 'auth' ? { RESOURCE_SERVERS: this.#introspectors(phase) } : {}),
        ...this.#callKeys(name, phase),
        ...(stack === undefined ? {} : this.#secondLogins(name, stack)),
      };
    });
  }

  /** Adds a second login of each service to PostgreSQL and NATS, with the rights of the first. */
  async addLogins(stack: Stack): Promise<void> {
    await this.#eachDatabase(stack, async (client, role) => {
      await client.query(`create role ${role}${SECOND} login password '${this.#logins}' in role ${role}`);
      // Its sessions begin as the owner of the tables.
      await client.query(`alter role ${role}${SECOND} set role = '${role}'`);
    });
    await changeNatsUsers(stack.nats, (users) =>
      users.flatMap((one) =>
        isService(one) ? [one, { ...one, user: one.user + SECOND, password: this.#logins }] : [one],
      ),
    );
  }

  /** Takes the first logins away. */
  async removeLogins(stack: Stack): Promise<void> {
    await this.#eachDatabase(stack, async (client, role) => client.query(`alter role ${role} nologin`));
    await changeNatsUsers(stack.nats, (users) => users.filter((one) => !isService(one)));
  }

  #introspectors(phase: Phase): string {
    const old = JSON.parse(this.#old.auth['RESOURCE_SERVERS'] ?? '{}') as Record<string, string>;
    const entries = Object.entries(old).map(([name, secret]) => {
      const young = this.#young[name as ServiceName]['INTROSPECTION_CLIENT_SECRET'] ?? '';
      return [name, list(phase, secret, young)];
    });
    return JSON.stringify(Object.fromEntries(entries));
  }

  #callKeys(name: ServiceName, phase: Phase): Variables {
    const { CALL_PUBLIC_KEYS: known } = this.#old[name];
    const young = {
      private: this.#calls.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
      public: this.#calls.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    };
    if (known !== undefined) return { CALL_PUBLIC_KEYS: list(phase, known, young.public) };
    return name === 'mcp-gateway' && phase !== 'add' ? { CALL_SIGNING_KEY: young.private } : {};
  }

  #secondLogins(name: ServiceName, stack: Pick<Stack, 'databaseUrl'>): Variables {
    const nats = { NATS_USER: name + SECOND, NATS_PASSWORD: this.#logins };
    if (!(name in DATABASES)) return nats;
    const url = new URL(stack.databaseUrl(DATABASES[name as keyof typeof DATABASES]));
    url.username += SECOND;
    url.password = this.#logins;
    return { ...nats, DATABASE_URL: url.href };
  }

  async #eachDatabase(stack: Stack, work: (client: pg.Client, role: DatabaseName) => Promise<unknown>): Promise<void> {
    const client = new pg.Client({ connectionString: stack.postgres!.adminUrl });
    await client.connect();
    try {
      for (const role of Object.values(DATABASES)) await work(client, role);
    } finally {
      await client.end();
    }
  }
}

const isService = ({ user }: NatsUser): boolean => SERVICES.some((name) => name === user);

function list(phase: Phase, old: string | undefined, young: string): string {
  if (phase === 'remove') return young;
  return phase === 'add' ? `${old},${young}` : `${young},${old}`;
}

function byService<T>(of: (name: ServiceName) => T): Record<ServiceName, T> {
  return Object.fromEntries(SERVICES.map((name) => [name, of(name)])) as Record<ServiceName, T>;
}

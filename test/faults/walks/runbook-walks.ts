import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, freePort, runServiceCommand, startServiceProcess, untilServiceReady } from '@lyceum/local';
import { smtpSink } from '@lyceum/testing';
import pg from 'pg';
import { graphql, listTools, send } from '../../clients/http.ts';
import { backgroundStops } from './background-walk.ts';
import { budgetBurns, databaseClosed, databaseLocked } from './database-walks.ts';
import { fileNotDeleted } from './file-walk.ts';
import type { FaultStack } from '../fault-stack.ts';
import type { Walk } from './walk.ts';

interface Tokens {
  readonly operator: string;
  readonly member: string;
}

/** The service that drops its log lines, as Prometheus calls it. */
export const FULL_DISK_JOB = 'gateway-on-a-full-disk';
const FROZEN_MS = 700;
const RUNNING_MS = 100;

/** Walks the runbooks on a running stack. */
export class RunbookWalks {
  readonly all: readonly Walk[];
  readonly fullDiskUrl: string;
  readonly #fault: FaultStack;
  readonly #tokens: Tokens;
  readonly #port: number;
  #courses = 0;
  #fullDisk: Child | undefined;

  private constructor(fault: FaultStack, tokens: Tokens, port: number) {
    this.#fault = fault;
    this.#tokens = tokens;
    this.#port = port;
    this.fullDiskUrl = `http://127.0.0.1:${port}`;
    this.all = [
      this.#serviceDown(),
      this.#introspectionFails(),
      this.#natsDown(),
      this.#resourceMissing(),
      databaseLocked(fault, () => this.#listCourses()),
      databaseClosed(fault, tokens.member),
      this.#eventLoopSlow(),
      this.#deadLetters(),
      this.#deadJobs(),
      this.#fullLogDisk(),
      fileNotDeleted(fault, tokens.operator),
      backgroundStops(fault, tokens.operator),
    ];
  }

  static async of(fault: FaultStack): Promise<RunbookWalks> {
    const scope =
      'openid courses:read courses:write members:read members:write school:read school:write students:read students:write storage:write';
    const operator = await fault.mint('owner', 'operator', scope);
    return new RunbookWalks(fault, { operator, member: await fault.memberToken() }, await freePort());
  }

  #serviceDown(): Walk {
    const { stack } = this.#fault;
    return {
      alerts: ['ServiceDown'],
      fault: () => stack.halt('admin-api'),
      mend: () => stack.start('admin-api'),
    };
  }

  #introspectionFails(): Walk {
    const { stack, site } = this.#fault;
    // No service has verified it before.
    let unknown: string;
    return {
      alerts: ['IntrospectionFails', ...budgetBurns('availability')],
      fault: async () => {
        unknown = await this.#fault.memberToken();
        await stack.halt('auth');
      },
      load: () =>
        Promise.all([listTools(site.base_url, unknown), graphql(site.base_url, unknown, '{ viewer { id } }')]),
      mend: () => stack.start('auth'),
    };
  }

  #natsDown(): Walk {
    const { stack } = this.#fault;
    return {
      alerts: ['NatsDisconnected', 'OutboxNotMoving', ...budgetBurns('tools')],
      fault: async () => {
        await stack.kill('nats');
        await this.#createCourse();
      },
      load: () => this.#callTool(),
      mend: () => stack.start('nats'),
    };
  }

  /** The bootstrap step makes the consumer again within seconds, and the fault removes it as often. */
  #resourceMissing(): Walk {
    const remove = async (): Promise<void> => {
      const admin = await this.#fault.connectNats();
      await admin.request('$JS.API.CONSUMER.DELETE.SCHOOL.member-api-courses', '').catch(() => undefined);
      await admin.close();
    };
    let isBroken = true;
    const removing = async (): Promise<void> => {
      while (isBroken) {
        await remove();
        await sleep(RUNNING_MS);
      }
    };
    return {
      alerts: ['MessagingResourceMissing', 'EventsNotRead{consumer="member-api-courses"}'],
      fault: () => {
        void removing();
        return Promise.resolve();
      },
      mend: () => {
        isBroken = false;
        return Promise.resolve();
      },
    };
  }

  /** The machine takes the processor away from the service. */
  #eventLoopSlow(): Walk {
    const pid = (): number => this.#fault.stack.services.find(({ name }) => name === 'member-api')!.pid!;
    let isBroken = true;
    const freezing = async (): Promise<void> => {
      while (isBroken) {
        process.kill(pid(), 'SIGSTOP');
        await sleep(FROZEN_MS);
        process.kill(pid(), 'SIGCONT');
        await sleep(RUNNING_MS);
      }
    };
    return {
      alerts: ['EventLoopSlow'],
      fault: () => {
        void freezing();
        return Promise.resolve();
      },
      mend: () => {
        isBroken = false;
        return Promise.resolve();
      },
    };
  }

  /** The read model refuses an event, until a release lets it through. */
  #deadLetters(): Walk {
    const { stack } = this.#fault;
    const learner = async (text: string): Promise<void> => {
      const client = new pg.Client({ connectionString: stack.databaseUrl('learner') });
      await client.connect();
      await client.query(text);
      await client.end();
    };
    return {
      alerts: ['DeadLettersPresent'],
      fault: async () => {
        await learner(`alter table courses add constraint planted check (slug not like 'refused-%') not valid`);
        await this.#createCourse('refused');
      },
      mend: async () => {
        await learner('alter table courses drop constraint planted');
        await runServiceCommand('member-api', stack.environment('member-api'), 'dead-letters', 'replay');
      },
    };
  }

  /** The mail server refuses an address, until its settings are right. */
  #deadJobs(): Walk {
    const { stack, site } = this.#fault;
    let refusing: Awaited<ReturnType<typeof smtpSink>>;
    return {
      alerts: ['DeadJobsPresent'],
      fault: async () => {
        refusing = await smtpSink({
          onRcptTo: (_address, _session, done) =>
            done(Object.assign(new Error('no such mailbox'), { responseCode: 550 })),
        });
        this.#fault.set('auth', { MAIL_SMTP_URL: refusing.url });
        await stack.restart('auth');
        const json = { email: `runbook-${Date.now()}@example.com`, name: 'Lin', roles: ['student'] };
        const { status } = await send(`${site.base_url}/api/v1/members`, { token: this.#tokens.operator, json });
        if (status !== 201) throw new Error(`The invitation was answered with ${status}`);
      },
      mend: async () => {
        await this.#fault.reset();
        await refusing.close();
        await runServiceCommand('auth', stack.environment('auth'), 'dead-jobs', 'retry', 'mails');
      },
    };
  }

  /** Every write to the log fails, as on a full disk. */
  #fullLogDisk(): Walk {
    let port = 0;
    const start = async (logFile: string): Promise<void> => {
      port = await freePort();
      const environment = this.#fault.stack.environment('mcp-gateway');
      const ports = { PORT: String(port), MANAGEMENT_PORT: String(this.#port), LOG_LEVEL: 'debug' };
      this.#fullDisk = startServiceProcess('mcp-gateway', { ...environment, ...ports }, logFile);
      await untilServiceReady(this.#fullDisk, this.fullDiskUrl);
    };
    return {
      alerts: [`LogLinesDropped{job="${FULL_DISK_JOB}"}`],
      fault: () => start('/dev/full'),
      load: () => fetch(`http://127.0.0.1:${port}/nothing`),
      mend: async () => {
        await this.#fullDisk?.stop();
        await start(join(this.#fault.directory, 'logs', 'gateway-with-space.log'));
      },
    };
  }

  /** Ends what the walks have started beside the stack. */
  async end(): Promise<void> {
    await this.#fullDisk?.stop();
  }

  async #createCourse(word = 'walked'): Promise<void> {
    this.#courses += 1;
    const slug = `${word}-${this.#courses}-${Date.now()}`;
    const url = `${this.#fault.site.base_url}/api/v1/courses`;
    const { status } = await send(url, { token: this.#tokens.operator, json: { name: slug, slug } });
    if (status !== 201) throw new Error(`The creation of a course was answered with ${status}`);
  }

  #listCourses(): Promise<unknown> {
    return send(`${this.#fault.site.base_url}/api/v1/courses`, { token: this.#tokens.operator }).catch(() => undefined);
  }

  #callTool(): Promise<unknown> {
    return send(`${this.#fault.site.base_url}/mcp`, {
      token: this.#tokens.member,
      headers: { accept: 'application/json, text/event-stream' },
      json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'my_courses', arguments: {} } },
    });
  }
}

import { ExportWorker } from '#src/exports/export.worker.js';
import { FileStorage } from '#src/files/file.storage.js';
import type { TestSite } from '@lyceum/testing';
import pg from 'pg';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { follow } from './new-upload.js';
import { giveOperatorRoles } from './operator-roles.js';

export type Json = Record<string, unknown>;

export const pathOf = ({ id }: Json): string => `/api/v1/exports/${String(id)}`;

/** A service whose exports go on by the turns that a test takes. */
export class TestExports {
  private constructor(
    readonly api: TestApi,
    readonly database: pg.Client,
    readonly worker: ExportWorker,
  ) {}

  static async open(): Promise<TestExports> {
    const api = await startAdminApi();
    const database = new pg.Client(api.databaseUrl);
    await database.connect();
    const worker = api.service.app.get(ExportWorker, { strict: false });
    await worker.beforeApplicationShutdown();
    const opened = new TestExports(api, database, worker);
    for (const site of api.sites) await opened.giveRoles(['owner'], site);
    return opened;
  }

  async close(): Promise<void> {
    await this.database.end();
    await this.api.stop();
  }

  get<T>(type: abstract new (...parameters: never[]) => T): T {
    return this.api.service.app.get(type, { strict: false });
  }

  /** The roles of the operator of the tests, as the service reads them from events of auth. */
  async giveRoles(roles: readonly string[], site: TestSite = this.api.sites[0]): Promise<void> {
    await giveOperatorRoles(this.api, this.database, roles, site);
  }

  async start(body: object, site: TestSite = this.api.sites[0]): Promise<Json> {
    const response = await this.api.send('POST', '/api/v1/exports', { site, body });
    if (response.status !== 201) throw new Error(response.text);
    return response.body;
  }

  async read(one: Json, site: TestSite = this.api.sites[0]): Promise<Json> {
    return (await this.api.send('GET', pathOf(one), { site })).body;
  }

  /** Ends all jobs. */
  async work(): Promise<void> {
    while (await this.worker.turn());
  }

  async fileOf(one: Json, site: TestSite = this.api.sites[0]): Promise<string> {
    const { download_url } = await this.read(one, site);
    return (await follow(this.api, 'GET', String(download_url))).text;
  }

  async exported(body: object): Promise<string> {
    const one = await this.start(body);
    await this.work();
    return this.fileOf(one);
  }

  async student(body: Json): Promise<Json> {
    return (await this.api.send('POST', '/api/v1/students', { body })).body;
  }

  /** Keys of the file and the parts in the store. */
  async filesOf({ id }: Json, { site_id }: TestSite = this.api.sites[0]): Promise<string[]> {
    const keys: string[] = [];
    const { store } = this.get(FileStorage);
    for await (const { key } of store.list(`exports/${site_id}/${String(id)}/`)) keys.push(key);
    return keys;
  }
}

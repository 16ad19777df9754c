import { ImportWorker } from '#src/imports/import.worker.js';
import { FileStorage } from '#src/files/file.storage.js';
import type { TestSite } from '@lyceum/testing';
import pg from 'pg';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { arrived, complete, follow } from './new-upload.js';
import { giveOperatorRoles } from './operator-roles.js';

export type Json = Record<string, unknown>;

export const importPath = ({ id }: Json): string => `/api/v1/imports/${String(id)}`;

/** A service whose imports go on by the turns that a test takes. */
export class TestImports {
  private constructor(
    readonly api: TestApi,
    readonly database: pg.Client,
    readonly worker: ImportWorker,
  ) {}

  static async open(): Promise<TestImports> {
    const api = await startAdminApi();
    const database = new pg.Client(api.databaseUrl);
    await database.connect();
    const worker = api.service.app.get(ImportWorker, { strict: false });
    await worker.beforeApplicationShutdown();
    await giveOperatorRoles(api, database, ['owner']);
    return new TestImports(api, database, worker);
  }

  async close(): Promise<void> {
    await this.database.end();
    await this.api.stop();
  }

  get<T>(type: abstract new (...parameters: never[]) => T): T {
    return this.api.service.app.get(type, { strict: false });
  }

  giveRoles(roles: readonly string[], site: TestSite = this.api.sites[0]): Promise<void> {
    return giveOperatorRoles(this.api, this.database, roles, site);
  }

  async upload(content: string | Buffer, more: object = {}, site: TestSite = this.api.sites[0]): Promise<string> {
    const { id } = await arrived(this.api, content, more, site);
    const { body } = await complete(this.api, { id }, site);
    if (body['state'] !== 'ready') throw new Error(`The upload is ${String(body['state'])}`);
    return id;
  }

  /** Starts an import of lines of CSV. */
  async start(lines: readonly string[], options: object = {}, site: TestSite = this.api.sites[0]): Promise<Json> {
    const upload_id = await this.upload(`${lines.join('\r\n')}\r\n`, {}, site);
    const body = { collection: 'students', format: 'csv', upload_id, ...options };
    const response = await this.api.send('POST', '/api/v1/imports', { site, body });
    if (response.status !== 201) throw new Error(response.text);
    return response.body;
  }

  /** An import after its check. */
  async checked(lines: readonly string[], options: object = {}): Promise<Json> {
    const one = await this.start(lines, options);
    await this.work();
    return this.read(one);
  }

  run(one: Json, body: object = {}, site: TestSite = this.api.sites[0]) {
    return this.api.send('POST', `${importPath(one)}/run`, { site, body });
  }

  /** An import after its end. */
  async ran(one: Json, body: object = {}): Promise<Json> {
    const { status, text } = await this.run(one, body);
    if (status !== 200) throw new Error(text);
    await this.work();
    return this.read(one);
  }

  async read(one: Json, site: TestSite = this.api.sites[0]): Promise<Json> {
    return (await this.api.send('GET', importPath(one), { site })).body;
  }

  async reportOf(one: Json): Promise<string> {
    const { report_url } = await this.read(one);
    return (await follow(this.api, 'GET', String(report_url))).text;
  }

  /** Ends all jobs. */
  async work(): Promise<void> {
    while (await this.worker.turn());
  }

  async student(body: Json): Promise<Json> {
    return (await this.api.send('POST', '/api/v1/students', { body })).body;
  }

  /** Students of an address or of a word in it, by their addresses. */
  async students(q: string): Promise<Json[]> {
    const { body } = await this.api.send<{ data: Json[] }>('GET', `/api/v1/students?q=${q}&limit=100`);
    return body.data.toSorted((a, b) => (String(a['email']) < String(b['email']) ? -1 : 1));
  }

  /** Keys of the parts and the report in the store. */
  async filesOf({ id }: Json): Promise<string[]> {
    const keys: string[] = [];
    const { store } = this.get(FileStorage);
    for await (const { key } of store.list(`imports/${this.api.sites[0].site_id}/${String(id)}/`)) keys.push(key);
    return keys;
  }
}

import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { INestApplicationContext } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import { DatabaseModule, NO_LIMITS, UsageError, runInContext } from '@lyceum/platform';
import type { Command, DatabaseOptions, ServiceConfiguration } from '@lyceum/platform';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { exportSite } from '../site-data/site-export.js';
import type { ExportLine, SiteExport } from '../site-data/site-export.js';

interface Service<C> {
  readonly name: string;
  readonly database: (config: C) => DatabaseOptions;
  readonly exported: (config: C) => SiteExport;
}

const FORMAT = { format: 'lyceum-site-export', version: 1 };

class SiteExportModule {}

/** `export-site <site_id>`: prints the data of a site as JSON Lines. See docs/operate/sites.md. */
export function siteExportCommand<C extends ServiceConfiguration>(service: Service<C>): Command<C> {
  const { name, database, exported } = service;
  return {
    summary: '<site_id>: prints all data of a site as JSON Lines',
    async run(config, [siteId, ...others]) {
      if (!z.uuid().safeParse(siteId).success || siteId === undefined || others.length > 0)
        throw new UsageError('export-site takes one site_id, which `site show` of auth prints');
      const imports = [DatabaseModule.forRoot({ ...database(config), limits: NO_LIMITS })];
      const module = () => ({ module: SiteExportModule, imports });
      await runInContext({ name, module }, config, (context: INestApplicationContext) =>
        print(name, siteId, exportSite(context.get(DataSource), siteId, exported(config))),
      );
    },
  };
}

async function print(service: string, site_id: string, lines: AsyncIterable<ExportLine>): Promise<void> {
  await write(process.stdout, { ...FORMAT, service, site_id, exported_at: new Date().toISOString() });
  for await (const line of lines) {
    if (line['rows'] === 0 && line['files'] === 0)
      throw new ApiError('not_found', `${service} has no data of the site ${site_id}`);
    await write(process.stdout, line);
  }
}

/** Waits for a slow reader, so that the memory is bounded. */
async function write(out: Writable, line: ExportLine): Promise<void> {
  if (!out.write(`${JSON.stringify(line)}\n`)) await once(out, 'drain');
}

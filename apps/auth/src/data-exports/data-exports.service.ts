import { Injectable } from '@nestjs/common';
import { MEMBER_DATA_SECTIONS, SCHOOL_DATA_SECTIONS, exportMemberData, exportSchoolData } from '@lyceum/contracts';
import { Requests } from '@lyceum/messaging';
import { AuditService } from '#src/audit/audit.service.js';
import type { PersonAtSite } from '#src/people/claims.policy.js';
import type { SiteRecord } from '#src/sites/site.js';
import { AUTH_SECTIONS, DataExportsRepository, EXPORT_ROWS } from './data-exports.repository.js';
import type { ExportedRow } from './data-exports.repository.js';

/** A person waits for the download. */
const REQUEST_MS = 5_000;

interface About {
  readonly person_id: string;
  readonly site_id: string;
}

interface Rows {
  readonly rows: ExportedRow[];
  readonly more: boolean;
}

/** The records of this site about a person, by service and section. */
export interface DataExport {
  readonly site: { readonly name: string; readonly url: string };
  readonly exported_at: string;
  /** Sections that have reached the limit, so that further rows may be missing. */
  readonly shortened: readonly string[];
  readonly account: Readonly<Record<string, readonly ExportedRow[]>>;
  readonly school: Readonly<Record<string, readonly ExportedRow[]>>;
  readonly learning: Readonly<Record<string, readonly ExportedRow[]>>;
}

/** Collects what the services store about a person at a site. */
@Injectable()
export class DataExportsService {
  constructor(
    private readonly records: DataExportsRepository,
    private readonly requests: Requests,
    private readonly audit: AuditService,
  ) {}

  /** @throws ApiError `temporarily_unavailable` while another service does not respond: no part is left out. */
  async collect({ site_id, name, base_url }: SiteRecord, { person_id }: PersonAtSite): Promise<DataExport> {
    const [account, school, learning] = [sections(), sections(), sections()];
    const about = { person_id, site_id };
    for (const section of SCHOOL_DATA_SECTIONS) {
      school.set(section, await this.#all((offset) => this.#ofSchool(about, section, offset)));
    }
    for (const section of MEMBER_DATA_SECTIONS) {
      learning.set(section, await this.#all((offset) => this.#ofMemberApi(about, section, offset)));
    }
    for (const section of AUTH_SECTIONS) {
      account.set(section, await this.records.section(section, person_id, site_id));
    }
    await this.audit.record({ event: 'data.exported', site_id, person_id });
    const shortened = [...account, ...school, ...learning].flatMap(([section, { length }]) =>
      length < EXPORT_ROWS ? [] : [section],
    );
    return {
      site: { name, url: base_url },
      exported_at: new Date().toISOString(),
      shortened,
      account: Object.fromEntries(account),
      school: Object.fromEntries(school),
      learning: Object.fromEntries(learning),
    };
  }

  #ofSchool({ person_id, site_id }: About, section: (typeof SCHOOL_DATA_SECTIONS)[number], offset: number) {
    return this.requests.request(exportSchoolData, { person_id, section, offset }, { site_id, timeoutMs: REQUEST_MS });
  }

  #ofMemberApi({ person_id, site_id }: About, section: (typeof MEMBER_DATA_SECTIONS)[number], offset: number) {
    return this.requests.request(exportMemberData, { person_id, section, offset }, { site_id, timeoutMs: REQUEST_MS });
  }

  /** Requests the next rows until the end of a section, or its limit. */
  async #all(page: (offset: number) => Promise<Rows>): Promise<ExportedRow[]> {
    const all: ExportedRow[] = [];
    let isMore = true;
    while (isMore && all.length < EXPORT_ROWS) {
      const { rows, more } = await page(all.length);
      all.push(...rows);
      isMore = more;
    }
    return all;
  }
}

const sections = (): Map<string, ExportedRow[]> => new Map();

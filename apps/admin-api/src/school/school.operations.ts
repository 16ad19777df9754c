import { crc32 } from 'node:zlib';
import { collection, rowOf } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { school } from './school.schema.js';
import { SchoolService } from './school.service.js';
import type { ShownSchool } from './school.service.js';

/** Settings that follow identity until the school sets them. */
const fromSite = ({ name, url, features }: ShownSchool): number => crc32(JSON.stringify([name, url, features]));

export const schoolSettingsCollection = collection({
  name: 'school',
  description: 'Name, language, currency, contact, addresses and features of the school.',
  scope: 'school',
  service: SchoolService,
  row: rowOf<ShownSchool>(),
  resource: school,
  etag: (row) => rowTag(row.version, fromSite(row)),
  singleton: true,
  operations: {
    get: {
      id: 'getSchool',
      summary: 'Get the settings of the school',
      description: 'Returns the settings of the school. Visitors see most of them in pages, the catalog and tools.',
      response: 'The settings; one that was never set is null',
      tool: {
        description:
          'Returns all settings of the school of this site: name, language, currency, contacts, URL templates, ' +
          'features and custom fields of members. Use it before update_school; get_school_profile has what visitors see.',
      },
      run: (school, { principal }) => school.get(principal),
    },
    update: {
      id: 'updateSchool',
      summary: 'Update the settings of the school',
      description:
        'JSON Merge Patch (RFC 7396): absent fields stay, null clears. Needs the role owner or admin. Sign-in, consent, ' +
        'account pages and mails follow the name within seconds, and `/mcp` follows `features.mcp_connections`. Objects ' +
        'have a `url` from the next request on when their template is set.',
      problems: ['forbidden'],
      tool: {
        description:
          'Changes the given settings of the school of this site: absent ones stay, null clears. Use it for owners and ' +
          'admins, to rename the school, set its contacts or URL templates, or switch a feature.',
      },
      run: (school, { principal, body, tx, ...conditions }) =>
        school.patch(principal, { ...conditions, patch: body }, tx),
    },
  },
});

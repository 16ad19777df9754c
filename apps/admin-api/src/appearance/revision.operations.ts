import { collection, rowOf } from '@lyceum/collections';
import { MAX_REVISIONS, revision } from './appearance.schema.js';
import { AppearanceService } from './appearance.service.js';
import type { ShownRevision } from './appearance.service.js';
import { representation, settingsView } from './appearance.view.js';

export const revisionCollection = collection({
  name: 'appearance/revisions',
  scope: 'appearance',
  service: AppearanceService,
  row: rowOf<ShownRevision>(),
  resource: revision,
  view: settingsView,
  operations: {
    list: {
      id: 'listAppearanceRevisions',
      summary: 'List revisions of the appearance',
      description: `Each change makes a revision: all settings from then on. The last ${MAX_REVISIONS} are kept.`,
      response: 'One page of revisions',
      run: (appearances, { principal, query }) => appearances.revisions(principal, query),
    },
    actions: {
      restore: {
        id: 'restoreAppearanceRevision',
        summary: 'Restore a revision',
        description:
          'Makes all settings of the revision current, as a new revision. `If-Match` names the current appearance.',
        response: 'The appearance as it is now',
        returns: representation,
        run: (appearances, { principal, tx, ...key }) => appearances.restore(principal, key, tx),
      },
    },
  },
});

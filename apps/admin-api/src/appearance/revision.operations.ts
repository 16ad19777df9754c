import { Action, Collection, List } from '@lyceum/collections';
import type { ChangeRequest, Key, ListRequest, Written } from '@lyceum/collections';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import { MAX_REVISIONS, revision } from './appearance.schema.js';
import type { RevisionListQuery } from './appearance.schema.js';
import { AppearanceService } from './appearance.service.js';
import type { ShownAppearance, ShownRevision } from './appearance.service.js';
import { representation, settingsView } from './appearance.view.js';

@Collection<ShownRevision>({
  name: 'appearance/revisions',
  scope: 'appearance',
  resource: revision,
  view: settingsView,
})
@Injectable()
export class RevisionOperations {
  constructor(private readonly appearances: AppearanceService) {}

  @List('listAppearanceRevisions', {
    summary: 'List revisions of the appearance',
    description: `Each change makes a revision: all settings from then on. The last ${MAX_REVISIONS} are kept.`,
    response: 'One page of revisions',
  })
  list({ principal, query }: ListRequest<RevisionListQuery>): Promise<Page<ShownRevision>> {
    return this.appearances.revisions(principal, query);
  }

  @Action('restoreAppearanceRevision', 'restore', {
    summary: 'Restore a revision',
    description:
      'Makes all settings of the revision current, as a new revision. `If-Match` names the current appearance.',
    response: 'The appearance as it is now',
    returns: representation,
  })
  restore({ principal, tx, ...key }: ChangeRequest & Key): Promise<Written<ShownAppearance>> {
    return this.appearances.restore(principal, key, tx);
  }
}

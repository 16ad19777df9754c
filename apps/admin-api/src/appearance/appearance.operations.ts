import { collection, rowOf } from '@lyceum/collections';
import { AppearanceService } from './appearance.service.js';
import type { ShownAppearance } from './appearance.service.js';
import { representation } from './appearance.view.js';

export const appearanceCollection = collection({
  ...representation,
  name: 'appearance',
  description: 'Colors, logo and links of the site’s pages, and their earlier revisions.',
  scope: 'appearance',
  service: AppearanceService,
  row: rowOf<ShownAppearance>(),
  singleton: true,
  operations: {
    get: {
      id: 'getAppearance',
      summary: 'Get the appearance of the site',
      description: 'Returns the current settings of the sign-in, consent, account and admin pages.',
      response: 'The appearance; a setting that is null has the default of the platform',
      tool: {
        description:
          'Returns the colors, font, logo, navigation and footer of this site; null means the default of the platform. ' +
          'Use it before update_appearance.',
      },
      run: (appearances, { principal }) => appearances.get(principal),
    },
    update: {
      id: 'updateAppearance',
      summary: 'Update the appearance of the site',
      description:
        'JSON Merge Patch (RFC 7396): absent fields stay, null clears, lists are replaced. The sign-in, consent, account ' +
        'and admin pages follow within seconds. Picture files are public. A site that sets a color has the same colors in light and dark mode. ' +
        'Unreadable text is refused with `low_contrast` and its contrast ratio.',
      tool: {
        description:
          'Changes the given settings of the appearance of this site: absent ones stay, null clears, lists are replaced. ' +
          'Use it to set readable colors, a logo or links; listAppearanceRevisions returns the earlier settings.',
      },
      run: (appearances, { principal, body, tx, ...conditions }) =>
        appearances.patch(principal, { ...conditions, patch: body }, tx),
    },
  },
});

import { keptWhileOrdered } from '#src/pending-orders/ordered-item.policy.js';

/** Descriptions of the operations that a plan has at both of its paths. */

export const ADDING =
  'The plan has the terms that its `plan_type` needs, and no others. Needs the role owner or admin. The course must ' +
  'not be archived.';

export const UPDATING =
  'JSON Merge Patch (RFC 7396): absent fields stay, null clears. `active: false` takes the plan off the sale. ' +
  `\`plan_type\` stays: make another plan in its place. ${keptWhileOrdered('plan')}`;

export const DELETING =
  'Only while no access was given by it and no pending order names it. Set `active` to false to take it off the ' +
  'sale.';

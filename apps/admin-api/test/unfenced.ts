/** Why a collection has no fence, in its case table. `fence.spec.ts` proves both. */
export const ADMINISTRATORS = 'Only owners and admins open it, and they see all objects of the site';
export const EVERY_OPERATOR = 'Every operator sees all objects of the site';

/** Of `events`: what everybody may see, past ones too. Drafts and cancelled events nobody. */
export const PUBLIC_EVENTS = `state in ('published', 'live', 'ended')`;

/** Of `events`: what everybody may still go to. */
export const LISTED_EVENTS = `state in ('published', 'live') and ends_at > now()`;
